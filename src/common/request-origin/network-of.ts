import { isIPv6 } from 'node:net';

/**
 * The network that counts as one caller: an IPv4 address, or the /64 network of an IPv6 address, which is what one
 * connection gets. Unknown addresses count as one.
 */
export function networkOf(address: string | null): string {
  const [plain = ''] = (address ?? '').split('%');
  if (!isIPv6(plain)) return plain;
  // A URL knows the shortest form of every notation.
  const short = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [head = '', tail] = short.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
