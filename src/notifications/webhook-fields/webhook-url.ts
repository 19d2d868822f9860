/** Longest address of a webhook, in characters. */
export const MAX_URL_LENGTH = 2000;

/** Longest name of a host, in characters (RFC 1035, 2.3.4). */
const MAX_HOST_LENGTH = 253;
/** A literal address of IPv6, or a name that can be looked up: labels of 1 to 63 characters. */
const HOST = /^(?:\[.+\]|(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?)$/;

/** An address as it is called. */
export interface WebhookUrl {
  /** As a user wrote it if that is its usual spelling, else in its usual spelling: `https://xn--bcher-kva.example/`. */
  readonly url: string;
  /** Name or literal address, and the port if it is not the default: what people may see of it. */
  readonly host: string;
}

/**
 * Reads an address that a webhook may have: `http` or `https`, a host and a port that can be called, without credentials,
 * fragment, spaces and control characters. Where it leads is judged elsewhere, see `Outbound.check`.
 *
 * @returns `null`: it is none
 */
export function parseWebhookUrl(text: string): WebhookUrl | null {
  // Parsers of URLs drop what is invisible and turn backslashes, so that readers see another address than is called.
  if (text.length > MAX_URL_LENGTH || !/^https?:\/\/[^/?#\\]/i.test(text)) return null;
  if (/[\p{Z}\p{C}\\#]/u.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?]*@/.test(text)) return null;
  if (!HOST.test(url.hostname) || url.hostname.length > MAX_HOST_LENGTH || url.port === '0') return null;
  if (url.href.length > MAX_URL_LENGTH) return null;
  return { url: url.href === `${text}/` ? text : url.href, host: url.host };
}

/** Whether both addresses are of one server: headers that were written for it may go to both. */
export function haveOneOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}
