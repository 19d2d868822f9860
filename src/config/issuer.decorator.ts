import { isIPv4 } from 'node:net';
import { IsTextThat } from '../common/validation/satisfies.decorator.js';

/** The identifier of an OpenID provider: an address without query, by `https` unless it is on this machine. */
export function IsIssuer(): PropertyDecorator {
  return IsTextThat(
    isIssuer,
    '$property must be an https address without query (http only on a loopback address)',
  );
}

/** Whether the address is reached without encryption, which `IsIssuer` allows on this machine only. */
export function isPlainHttp(issuer: string): boolean {
  return new URL(issuer).protocol === 'http:';
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (/[?#]/.test(text) || username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}
