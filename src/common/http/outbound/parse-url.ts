import { OutboundRefusedError } from './outbound-refused.error.js';

/** @throws OutboundRefusedError when the text is no address that can be called */
export function parseUrl(text: string | URL): URL {
  const url = URL.canParse(String(text)) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw new OutboundRefusedError('url', 'The address must start with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefusedError('url', 'The address must not contain a user name or password.');
  }
  return url;
}

/** The name, or the literal address: the parser of URLs has turned every spelling into the usual one. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
