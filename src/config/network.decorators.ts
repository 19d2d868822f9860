import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { IsTextThat } from '../common/validation/satisfies.decorator.js';

/** An IP address or the name of a host. A name that looks like a wrong address is refused. */
export function IsHost(): PropertyDecorator {
  return IsTextThat(
    isHost,
    '$property must be an IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all',
  );
}

/**
 * What `trust proxy` of Express takes: `false`, `2`, or `loopback, 10.0.0.0/8`. Not `true`: then every client could
 * choose its address.
 */
export function IsProxyTrust(): PropertyDecorator {
  return IsTextThat(
    isProxyTrust,
    '$property must be false, a number of hops such as 1, or a list of addresses and networks such as loopback,10.0.0.0/8',
  );
}

function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const labels = text.split('.');
  // Names end with a letter: see RFC 1123. What ends with a digit is an address that is wrong.
  return (
    text.length <= 253 &&
    labels.every((label) => /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

function isProxyTrust(text: string): boolean {
  if (text === 'false' || /^\d{1,3}$/.test(text)) return true;
  return text.split(/ *, */).every((part) => {
    if (['loopback', 'linklocal', 'uniquelocal'].includes(part)) return true;
    return isIP(part) !== 0 || ipaddr.isValidCIDR(part);
  });
}
