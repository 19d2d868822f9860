import { isCallback, withUdid } from './udid-requests.service.js';

const OWN = 'https://slipway.example.com';
const origins = [OWN, 'https://tools.example.com:8443'];

describe('an address for UDIDs', () => {
  it.each([`${OWN}/`, `${OWN}/a?b=c`, 'https://tools.example.com:8443/devices'])('may be %s', (address) => {
    expect(isCallback(address, origins)).toBe(true);
  });

  it.each([
    'https://evil.example.com/',
    OWN,
    `${OWN}.evil.example.com/`,
    `${OWN}@evil.example.com/`,
    `${OWN}:444/`,
    'https://tools.example.com/',
    'http://slipway.example.com/',
    'https://user@slipway.example.com/',
    'https://slipway.example.com\\@evil.example.com/',
    `${OWN}\\.evil.example.com/`,
    'https:\\\\slipway.example.com/',
    '//slipway.example.com/',
    '/app-build-shares/1',
    `${OWN}/a#b`,
    `${OWN}/a b`,
    `${OWN}/a\r\nSet-Cookie: a=b`,
    `${OWN}/\u2025`,
    ` ${OWN}/`,
    'javascript:alert(1)',
    'HTTPS://SLIPWAY.EXAMPLE.COM/',
    'https://slipway.ex\u0430mple.com/',
    '',
  ])('is never %j', (address) => {
    expect(isCallback(address, origins)).toBe(false);
  });

  it('gets one UDID, whatever it has already', () => {
    expect(withUdid(`${OWN}/a?b=c&udid=x&udid=y`, '00008030-1')).toBe(`${OWN}/a?b=c&udid=00008030-1`);
  });
});
