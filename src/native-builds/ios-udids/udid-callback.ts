/** Printable characters of ASCII without space and backslash: what programs read in the same way. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;

/**
 * Whether devices may be led to an address with their UDID: it begins with one of the origins as they are written, and has
 * neither a user nor a fragment.
 */
export function isCallback(text: string, origins: readonly string[]): boolean {
  if (!PLAIN.test(text) || text.includes('#')) return false;
  return origins.some((origin) => text.startsWith(`${origin}/`) && URL.parse(text)?.origin === origin);
}

/** The address with the UDID of a device. */
export function withUdid(callbackUrl: string, udid: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set('udid', udid);
  return url.href;
}
