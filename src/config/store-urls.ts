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

const SUFFIX = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A comma-separated list of names of hosts, each for all hosts below it. */
export function IsHostSuffixes(): PropertyDecorator {
  return IsTextThat(
    (text) => hostSuffixesOf(text).every((host) => SUFFIX.test(host)),
    '$property must be a list of host names with a dot, such as apple.com,googleapis.com',
  );
}

/** The names of such a list, in lower case. */
export function hostSuffixesOf(text: string): string[] {
  return text.split(',').map((host) => host.trim().toLowerCase());
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
