import type { Request } from 'express';
import { requestOriginOf } from './request-origin.js';

const originOf = (ip: string | undefined, userAgent?: string) =>
  requestOriginOf(
    { ip, headers: userAgent === undefined ? {} : { 'user-agent': userAgent } } as Request,
    null,
  );

describe('requestOriginOf', () => {
  it('reads the address, with IPv4 in its own form and without a zone', () => {
    expect(originOf('192.0.2.7').address).toBe('192.0.2.7');
    expect(originOf('::ffff:192.0.2.7').address).toBe('192.0.2.7');
    expect(originOf('2001:db8::1').address).toBe('2001:db8::1');
    expect(originOf('fe80::1%eth0').address).toBe('fe80::1');
  });

  it('has no address when a proxy sends nonsense, or the connection is closed', () => {
    expect(originOf('unknown').address).toBeNull();
    expect(originOf('192.0.2.7:4711').address).toBeNull();
    expect(originOf(undefined).address).toBeNull();
  });

  it('cuts the user agent, and drops what is not printable ASCII', () => {
    expect(originOf('192.0.2.7', 'Capawesome CLI v4.18.4').userAgent).toBe('Capawesome CLI v4.18.4');
    expect(originOf('192.0.2.7', 'Büro\u0007 ').userAgent).toBe('Bro');
    expect(originOf('192.0.2.7', 'x'.repeat(4000)).userAgent).toBe('x'.repeat(255));
    expect(originOf('192.0.2.7', '').userAgent).toBeNull();
    expect(originOf('192.0.2.7').userAgent).toBeNull();
  });

  it('has no country when no header is configured', () => {
    expect(originOf('192.0.2.7').country).toBeNull();
  });
});
