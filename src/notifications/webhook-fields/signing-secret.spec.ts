import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { generateSigningSecret, signingSecretProblem } from './signing-secret.js';

const whsec = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64')}`;
const verifies = (secret: string): boolean => {
  const webhook = new Webhook(secret, secret.startsWith('whsec_') ? {} : { format: 'raw' });
  const now = new Date();
  const headers = {
    'webhook-id': 'one',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': webhook.sign('one', now, '{}'),
  };
  return webhook.verify('{}', headers) !== undefined;
};

it('generates secrets in the form of Standard Webhooks', () => {
  const secret = generateSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(signingSecretProblem(secret)).toBeNull();
  expect(verifies(secret)).toBe(true);
  expect(generateSigningSecret()).not.toBe(secret);
});

it.each(['x', '1234567', 'correct horse battery', '~!"\\ +/', 'x'.repeat(200), whsec(24), whsec(64)])(
  'takes %j, with which the official library signs',
  (secret) => {
    expect(signingSecretProblem(secret)).toBeNull();
    expect(verifies(secret)).toBe(true);
  },
);

it.each([
  ['', /1 to 200 characters/],
  ['x'.repeat(201), /1 to 200 characters/],
  [12345678, /1 to 200 characters/],
  [null, /1 to 200 characters/],
  ['1234567\n', /control characters/],
  [' 12345678', /spaces/],
  ['ключ от всего', /ASCII/],
  ['Straße', /ASCII/],
  ['naïve', /ASCII/],
  ['🔑🔑🔑', /ASCII/],
  ['soft\u00adhyphen', /ASCII/],
  ['\u00a0secret', /ASCII/],
  ['half \ud83d of a pair', /ASCII/],
  ['whsec_not base64!', /24 to 64 bytes in Base64/],
  [whsec(23), /24 to 64 bytes in Base64/],
  [whsec(65), /24 to 64 bytes in Base64/],
  [`${whsec(33)}=`, /24 to 64 bytes in Base64/],
])('refuses %j', (secret, problem) => {
  expect(signingSecretProblem(secret)).toMatch(problem);
});
