/** Longest application id or bundle id, in characters. */
export const MAX_PACKAGE_NAME_LENGTH = 255;

/** Android: at least two segments, which start with a letter. */
const APPLICATION_ID = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
/** iOS: `CFBundleIdentifier`, a reverse domain name of letters, digits and hyphens, which begins like no option. */
const BUNDLE_ID = /^[A-Za-z0-9][A-Za-z0-9-]*(\.[A-Za-z0-9-]+)+$/;

/** Whether Android accepts the text as application id, or iOS as bundle id. */
export function isPackageName(text: string): boolean {
  return text.length <= MAX_PACKAGE_NAME_LENGTH && (APPLICATION_ID.test(text) || BUNDLE_ID.test(text));
}
