import { Secret, TOTP } from 'otpauth';
import { generateTotpSecret, matchingStep, otpauthUri } from './totp.js';

const PERIOD = 30_000;
// RFC 6238, appendix B; the last six of its eight digits.
const rfcSecret = Secret.fromLatin1('12345678901234567890').base32;

it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('accepts the code of RFC 6238 at %d s', (seconds, code) => {
  expect(matchingStep(rfcSecret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

it('accepts the codes of the current step and of its neighbours', () => {
  const secret = generateTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const now = Date.now();
  const step = Math.floor(now / PERIOD);
  const codeAt = (wanted: number): string => new TOTP({ secret }).generate({ timestamp: wanted * PERIOD });
  for (const near of [step - 1, step, step + 1]) expect(matchingStep(secret, codeAt(near), now)).toBe(near);
  for (const far of [step - 2, step + 2]) expect(matchingStep(secret, codeAt(far), now)).toBeNull();
});

it.each(['', '12345', '1234567', '١٢٣٤٥٦', '12 456', '-12345', '1e1000'])('refuses %j', (code) => {
  expect(matchingStep(rfcSecret, code, Date.now())).toBeNull();
});

it('escapes the names in the address for authenticator apps', () => {
  expect(otpauthUri('ABC', 'My app', 'a&b@example.com')).toBe(
    'otpauth://totp/My%20app:a%26b%40example.com?secret=ABC&issuer=My%20app',
  );
});
