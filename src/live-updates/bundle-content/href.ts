/** Name of the file, at the root of a bundle in manifest form, that lists the others. */
export const MANIFEST_HREF = 'capawesome-live-update-manifest.json';

/** Longest path of a file inside a bundle, in bytes of UTF-8. */
export const MAX_HREF_BYTES = 1024;

/**
 * Whether the text is the path of a file inside a bundle: relative, with `/` between non-empty segments, none of
 * them `.` or `..`, without backslashes and control characters, not on a drive of Windows (`C:`), at most 1,024 bytes
 * long.
 */
export function isHref(text: string): boolean {
  if (text === '' || Buffer.byteLength(text) > MAX_HREF_BYTES) return false;
  // eslint-disable-next-line no-control-regex -- that is what must not be there
  if (/[\\\u0000-\u001f\u007f]/.test(text)) return false;
  if (/^[A-Za-z]:/.test(text)) return false;
  return text.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
