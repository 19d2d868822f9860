import { OidcConfig } from '../../config/groups/sign-in-config.js';
import { type Claims, type Profile, readProfile } from './profile.js';

const idToken = { iss: 'https://login.example.com', sub: 'ada' };

function read({
  config = {},
  token = {},
  userInfo = {},
}: {
  config?: Partial<OidcConfig>;
  token?: Claims;
  userInfo?: Claims;
}): Profile {
  const profile = readProfile(Object.assign(new OidcConfig(), config), { ...idToken, ...token }, userInfo);
  if (profile === null) throw new Error('No profile.');
  return profile;
}

it('reads address, name and groups, from the user info too', () => {
  const claims = {
    email: 'Ada@Example.com',
    email_verified: true,
    name: ' Ada\u0000 ',
    groups: ['a', 5, 'b'],
  };
  const expected = {
    issuer: 'https://login.example.com',
    subject: 'ada',
    email: 'ada@example.com',
    emailConfirmed: true,
    name: 'Ada',
    groups: ['a', 'b'],
    secondFactor: false,
  };
  expect(read({ token: claims })).toEqual(expected);
  expect(read({ userInfo: claims })).toEqual(expected);
  expect(read({ token: { name: 'Ada L.' }, userInfo: claims }).name).toBe('Ada L.');
});

it.each<[string, Claims, Claims, boolean]>([
  ['says nothing', { email: 'ada@example.com' }, {}, false],
  ['says no', { email: 'ada@example.com', email_verified: false }, {}, false],
  ['says so as a text', { email: 'ada@example.com', email_verified: 'true' }, {}, true],
  [
    'says it of another address',
    { email: 'ada@example.com' },
    { email: 'x@example.com', email_verified: true },
    false,
  ],
])('does not take an address for confirmed that the provider %s of', (_what, token, userInfo, confirmed) => {
  expect(read({ token, userInfo }).emailConfirmed).toBe(confirmed);
});

it('takes what is said of the claim email for no other claim', () => {
  const token = { upn: 'ada@example.com', email: 'x@example.com', email_verified: true };
  const config = { emailClaim: 'upn' };
  expect(read({ config, token })).toMatchObject({ email: 'ada@example.com', emailConfirmed: false });
  expect(read({ config: { ...config, trustEmail: true }, token }).emailConfirmed).toBe(true);
});

it.each([undefined, null, '', 'ada', 5, ['ada@example.com'], 'ada@example.com\u0000', 'a@b@example.com'])(
  'takes %j for no e-mail address',
  (email) => {
    expect(read({ token: { email } }).email).toBeNull();
  },
);

it.each(['', 'x'.repeat(256), 'a\u0000b', 'ädä'])('takes %j for no subject', (sub) => {
  expect(readProfile(new OidcConfig(), { ...idToken, sub }, {})).toBeNull();
});

it.each<[unknown, boolean]>([
  [['pwd', 'mfa'], true],
  [['hwk'], true],
  [['pwd'], false],
  ['otp', true],
  [undefined, false],
  [[['mfa']], false],
])('reads from amr %j whether a second factor was used', (amr, expected) => {
  expect(read({ token: { amr } }).secondFactor).toBe(expected);
  expect(read({ userInfo: { amr } }).secondFactor).toBe(false);
  expect(read({ token: { amr }, config: { trustSecondFactor: true } }).secondFactor).toBe(true);
});
