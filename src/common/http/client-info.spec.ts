import { clientInfo } from './client-info.js';

const of = (ip: string | undefined, userAgent?: string) =>
  clientInfo({ ip, headers: userAgent === undefined ? {} : { 'user-agent': userAgent } });

describe('clientInfo', () => {
  it('tells the address, IPv4 in its own form', () => {
    expect(of('192.0.2.7').address).toBe('192.0.2.7');
    expect(of('::ffff:192.0.2.7').address).toBe('192.0.2.7');
    expect(of('2001:db8::1').address).toBe('2001:db8::1');
  });

  it('knows no address when a proxy tells nonsense, or the connection is gone', () => {
    expect(of('unknown').address).toBeNull();
    expect(of('192.0.2.7:4711').address).toBeNull();
    expect(of(undefined).address).toBeNull();
  });

  it('cuts the name of the client', () => {
    expect(of('192.0.2.7', 'Capawesome CLI v4.18.4').userAgent).toBe('Capawesome CLI v4.18.4');
    expect(of('192.0.2.7', 'x'.repeat(4000)).userAgent).toBe('x'.repeat(255));
    expect(of('192.0.2.7', '').userAgent).toBeNull();
    expect(of('192.0.2.7').userAgent).toBeNull();
  });
});
