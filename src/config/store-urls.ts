import { IsTextThat } from '../common/validation/satisfies.decorator.js';

/** The address of an API: also a private one or `http`, because an operator writes it. */
export function IsApiUrl(): PropertyDecorator {
  return IsTextThat(
    isApiUrl,
    '$property must be an address that starts with https:// or http://, without user name, query and fragment',
  );
}

/** The address of an HTTP proxy, which may need a user name and a password. */
export function IsProxyUrl(): PropertyDecorator {
  return IsTextThat(
    isProxyUrl,
    '$property must be the address of an HTTP proxy without a path, such as http://proxy.example.com:3128',
  );
}

function isApiUrl(text: string): boolean {
  const url = parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === '' &&
    !/[?#@\s]/.test(text)
  );
}

function isProxyUrl(text: string): boolean {
  const url = parse(text);
  return url?.protocol === 'http:' && url.pathname + url.search + url.hash === '/' && !/\s/.test(text);
}

function parse(text: string): URL | null {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : null;
}
