/** The console. */
export const START_PATH = '/';

/** The pages for visitors who have signed in, and their names, in the order of the navigation. */
export const navigation = [
  [START_PATH, 'Console'],
  ['/settings/tokens', 'API tokens'],
  ['/settings/sessions', 'Sessions'],
  ['/settings/password', 'Password'],
  ['/settings/two-factor', 'Two-factor'],
  ['/settings/invitations', 'Invitations'],
] as const;

/** The description of the API: Swagger UI. */
export const DOCS_PATH = '/docs';

/** Most characters of an address to return to: it travels in forms and in a cookie. */
export const MAX_RETURN_PATH = 1000;

/** A path of this server, with its query and fragment. */
export type ReturnPath = `/${string}`;

/**
 * The page to return to after the sign-in: any path of this server, by default the console. Browsers read `//`, `/\`
 * and control characters as other sites, and a page of the sign-in would lead there again.
 */
export function returnPath(wanted: string | undefined): ReturnPath {
  if (wanted === undefined || wanted.length > MAX_RETURN_PATH || !OWN_PATH.test(wanted)) return START_PATH;
  return wanted as ReturnPath;
}

/** One slash, then no second one; printable ASCII, as browsers send addresses. */
const OWN_PATH = /^\/(?![/\\]|(?:login(?!\/device(?:[?#]|$))|logout|v1)\b)[\x21-\x5b\x5d-\x7e]*$/i;

/** Where visitors confirm that it is them. @param next the page to return to */
export function confirmPath(next: ReturnPath): string {
  return `/login/confirm?next=${encodeURIComponent(next)}`;
}
