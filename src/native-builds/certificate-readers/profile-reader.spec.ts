import { jest } from '@jest/globals';
import type { PlistValue } from 'plist';
import { signedMessage, testSigner } from '../../../test/support/native-builds/android/test-signer.js';
import { makeAppleIdentity, makeP12 } from '../../../test/support/native-builds/apple/identity.js';
import { makeProfile, profileText } from '../../../test/support/native-builds/apple/profile.js';
import { binaryPlist } from '../../../test/support/native-builds/binary-plist.js';
import { endlessPlist } from '../../../test/support/native-builds/endless-plist.js';
import { readProfileFile } from './profile-reader.js';
import type { ProfileFacts } from './reading.js';

const identity = makeAppleIdentity();
const certificates = [identity.certificate.raw];
const expiresAt = new Date('2027-06-01T12:00:00Z');
const uuid = '3f2c8a52-54c0-4ec8-8b4e-0f6d3c3a6a11';

function read(file: Buffer): ProfileFacts {
  const reading = readProfileFile(file);
  if ('failure' in reading) throw new Error(reading.failure.message);
  return reading.facts;
}

/** The one sentence about a file that is refused. */
function sentence(file: Buffer): string {
  const reading = readProfileFile(file);
  expect(reading).toEqual({ failure: { field: 'file', message: expect.stringMatching(/^file [^\n]+\.$/) } });
  return (reading as { failure: { message: string } }).failure.message;
}

const signed = (content: string | Buffer): Buffer =>
  signedMessage(Buffer.from(content), testSigner('Apple Provisioning'));
const without = (member: string, value?: PlistValue): string =>
  sentence(makeProfile({ members: { [member]: value } }));

// The library prints what it finds.
beforeEach(() => void jest.spyOn(console, 'error').mockReturnValue(undefined));
beforeEach(() => void jest.spyOn(console, 'warn').mockReturnValue(undefined));
afterEach(() => jest.restoreAllMocks());

it.each([
  ['development', 1],
  ['ad-hoc', 1],
  ['app-store', null],
  ['enterprise', null],
] as const)('a profile for %s says what it is for', (type, deviceCount) => {
  const described = { type, uuid, certificates, expiresAt, name: 'Shop', bundleId: 'com.example.shop' };
  expect(read(makeProfile({ ...described, teamId: 'AB12CD34EF' }))).toEqual({
    uuid,
    name: 'Shop',
    type,
    teamId: 'AB12CD34EF',
    bundleId: 'com.example.shop',
    deviceCount,
    expiresAt,
    certificateFingerprints: [identity.sha256Fingerprint],
  });
});

it.each(['com.example.*', '*', 'com.example-shop.app'])('a profile can be for %s', (bundleId) => {
  expect(read(makeProfile({ bundleId })).bundleId).toBe(bundleId);
});

it('a profile has each certificate once', () => {
  const other = makeAppleIdentity({ pair: 1 });
  const raw = [other.certificate.raw, ...certificates, other.certificate.raw];
  expect(read(makeProfile({ certificates: raw })).certificateFingerprints).toEqual([
    other.sha256Fingerprint,
    identity.sha256Fingerprint,
  ]);
});

it('a profile can be a binary property list, have thousands of devices, and name no platform', () => {
  const devices = Array.from({ length: 10_000 }, (_, n) => `00008030-${String(n).padStart(16, '0')}`);
  const profile = makeProfile({ devices, members: { Platform: undefined } });
  expect(profile.length).toBeLessThan(1024 * 1024);
  expect(read(profile).deviceCount).toBe(10_000);
});

it('a name is one line of at most 200 characters', () => {
  expect(read(makeProfile({ name: `a\n\u202eb${'x'.repeat(5000)}` })).name).toHaveLength(200);
  expect(read(makeProfile({ name: 'a\n\u202eb' })).name).toBe('a b');
});

it.each([
  ['another platform', without('Platform', ['OSX']), 'a profile for macOS'],
  ['tvOS', without('Platform', ['tvOS']), 'a profile for tvOS'],
  ['an unknown platform', without('Platform', ['carOS', 5]), 'a platform other than iOS'],
  ['Xcode', without('IsXcodeManaged', true), 'that Xcode manages'],
  ['no certificates', without('DeveloperCertificates'), 'without certificates'],
  ['an empty list of certificates', without('DeveloperCertificates', []), 'without certificates'],
  ['certificates that are texts', without('DeveloperCertificates', ['a']), 'without certificates'],
  ['no team', without('TeamIdentifier'), 'no team of Apple'],
  ['no list of teams', without('TeamIdentifier', 'A1B2C3D4E5'), 'no team of Apple'],
  ['a wrong team', without('TeamIdentifier', ['../etc']), 'no team of Apple'],
  ['no UUID', without('UUID'), 'no valid UUID'],
  ['a path as its UUID', without('UUID', '../../../etc/passwd'), 'no valid UUID'],
  ['a long UUID', without('UUID', `${uuid}.mobileprovision`), 'no valid UUID'],
  ['no name', without('Name', ' '), 'no name'],
  ['no expiry', without('ExpirationDate'), 'no valid expiry'],
  ['a text as its expiry', without('ExpirationDate', '2027-06-01'), 'no valid expiry'],
  ['no entitlements', without('Entitlements'), 'no valid bundle id'],
  ['a wrong bundle id', without('Entitlements', { 'application-identifier': 'A1B2C3D4E5.a/b' }), 'bundle id'],
])('a profile of %s is refused', (_what, message, text) => {
  expect(message).toContain(text);
});

it('a profile that refers to itself again and again takes too much work', () => {
  expect(sentence(signed(endlessPlist()))).toBe(
    'file is no profile of Apple: reading it takes too much work.',
  );
});

it('a profile has at most 200 certificates', () => {
  const many = Array.from({ length: 201 }, (_, n) => Buffer.from(`certificate ${n}`));
  expect(sentence(makeProfile({ certificates: many }))).toContain('more than 200 certificates');
});

describe('a file that is no profile', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 'is empty'],
    ['an unsigned profile', Buffer.from(profileText()), 'without the signature of Apple'],
    ['an unsigned binary one', binaryPlist({ Name: 'x' }), 'without the signature of Apple'],
    ['an ipa', Buffer.from('504b030414000000', 'hex'), 'a zip or an app'],
    ['a .p12', makeP12(identity), 'is a .p12'],
    ['a .cer', identity.certificate.raw, 'is a certificate'],
    ['PEM', Buffer.from(identity.certificate.toString()), 'as PEM'],
    ['Base64 text', Buffer.from(makeProfile().toString('base64')), 'Base64'],
    ['text', Buffer.from('hello'), 'is no provisioning profile'],
    ['zeros', Buffer.alloc(1024 * 1024), 'is no provisioning profile'],
    ['a signed text', signed('hello'), 'damaged'],
    ['a signed page', signed('<!DOCTYPE html><title>Sign in</title>'), 'damaged'],
    ['a signed list', signed('<plist version="1.0"><array/></plist>'), 'damaged'],
    ['half of one', makeProfile().subarray(0, 1500), 'damaged'],
    ['a signature alone', signedMessage(Buffer.from('x'), testSigner('Apple Provisioning'), true), 'damaged'],
  ])('%s is named', (_name, file, text) => {
    expect(sentence(file)).toContain(text);
  });

  it('is refused when a part of it is missing, or damaged', () => {
    const file = makeProfile({ uuid });
    for (let length = 0; length < file.length - 1; length += 397) sentence(file.subarray(0, length));
    for (let position = 0; position < file.length; position += 97) {
      const damaged = Buffer.from(file);
      damaged[position]! ^= 0xff;
      const reading = readProfileFile(damaged);
      if ('failure' in reading) expect(reading.failure.message).toMatch(/^file [^\n]+\.$/);
    }
  });

  it.each([
    ['nested deeply', `3080${'06092a864886f70d010702'}${'a080'.repeat(50_000)}`],
    ['of lengths that lie', '3084ffffffff06092a864886f70d010702a084ffffffff'],
  ])('%s is refused', (_name, hex) => {
    expect(sentence(Buffer.from(hex, 'hex'))).toContain('damaged');
  });

  it('with entities that refer to entities is refused, or read without them', () => {
    const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
    const dtd = `<!DOCTYPE plist [<!ENTITY e0 "lol">${entities.join('')}]>`;
    const text = profileText({ name: 'BOMB' })
      .replace(/<!DOCTYPE[^>]*>/, dtd)
      .replace('BOMB', '&e9;');
    expect(JSON.stringify(readProfileFile(signed(text))).length).toBeLessThan(5000);
  });
});
