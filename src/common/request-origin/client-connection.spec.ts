import type { IncomingMessage } from 'node:http';
import { clientAddressOf, clientConnectionOf, isBehindUnknownProxy } from './client-connection.js';
import type { ProxyTrust } from './proxy-trust.js';

const trustNone: ProxyTrust = () => false;
const trustPrivate: ProxyTrust = (address) => /^(10\.|127\.|::1$)/.test(address);

const connectionOf = (remoteAddress: string | undefined, forwardedFor?: string, trusts = trustPrivate) =>
  clientConnectionOf(
    {
      socket: { remoteAddress },
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
    } as unknown as IncomingMessage,
    trusts,
  );

describe('clientAddressOf', () => {
  it.each([
    ['81.2.3.4', undefined, '81.2.3.4'],
    ['::ffff:81.2.3.4', undefined, '81.2.3.4'],
    ['81.2.3.4', '82.1.1.1', '81.2.3.4'],
    ['10.0.0.1', '81.2.3.4', '81.2.3.4'],
    ['10.0.0.1', '9.9.9.9, 81.2.3.4', '81.2.3.4'],
    ['10.0.0.1', '9.9.9.9, 81.2.3.4,10.0.0.2', '81.2.3.4'],
    ['10.0.0.1', '10.0.0.3', '10.0.0.3'],
    ['10.0.0.1', '2a00::1%eth0', '2a00::1'],
    ['10.0.0.1', 'unknown', null],
    ['10.0.0.1', undefined, null],
    ['fe80::1%eth0', undefined, null],
    [undefined, undefined, null],
  ])('of %j with %j is %j', (remoteAddress, forwardedFor, address) => {
    expect(clientAddressOf(connectionOf(remoteAddress, forwardedFor))).toBe(address);
  });

  it('does not believe a proxy that is not trusted', () => {
    expect(clientAddressOf(connectionOf('81.2.3.4', '9.9.9.9', trustNone))).toBe('81.2.3.4');
    expect(clientAddressOf(connectionOf('10.0.0.1', '9.9.9.9', trustNone))).toBeNull();
  });

  it('reads only the end of a long header', () => {
    const connection = connectionOf('10.0.0.1', `${'1.1.1.1, '.repeat(2000)}81.2.3.4`);
    expect(connection.forwardedFor).toHaveLength(128);
    expect(clientAddressOf(connection)).toBe('81.2.3.4');
  });
});

it('notices a proxy that is not trusted', () => {
  expect(isBehindUnknownProxy(connectionOf('10.0.0.1', '9.9.9.9', trustNone))).toBe(true);
  expect(isBehindUnknownProxy(connectionOf('10.0.0.1', undefined, trustNone))).toBe(false);
  expect(isBehindUnknownProxy(connectionOf('81.2.3.4', '9.9.9.9', trustNone))).toBe(false);
  expect(isBehindUnknownProxy(connectionOf('10.0.0.1', '9.9.9.9'))).toBe(false);
});
