import { expectRefusal } from '../../../test/support/expect-refusal.js';
import type { ProfileType } from '../../common/provisioning-profiles.js';
import { requireCertificate, requireFittingCertificate, requireProfiles } from './ios-signing.js';

const now = new Date('2026-11-24T12:00:00Z');
const later = new Date('2027-06-01T12:00:00Z');
const certificate = {
  name: 'Shop',
  type: 'production',
  expiresAt: later,
  teamId: 'AB12CD34EF',
  sha256Fingerprint: 'A1:B2',
} as const;
const profile = {
  name: 'Shop ad hoc',
  type: 'ad-hoc' as ProfileType,
  teamId: 'AB12CD34EF',
  bundleId: 'com.example.shop',
  expiresAt: later,
  certificateFingerprints: ['FF:FF', 'A1:B2'],
};
type Profile = typeof profile;
const choose = (profiles: readonly Profile[], packageName: string | null = null): Profile[] =>
  requireProfiles('ad-hoc', certificate, {
    profiles,
    configuration: { name: 'staging', packageName },
    now,
  });
const refused = (sentence: string, ...[profiles, packageName]: Parameters<typeof choose>): void =>
  expectRefusal(() => choose(profiles, packageName), 'provisioning_profile_unfit', sentence);

it('a build that is signed needs a certificate', () => {
  expect(requireCertificate('ad-hoc', certificate)).toBe(certificate);
  expectRefusal(() => requireCertificate('ad-hoc', null), 'certificate_required', 'of the type ad-hoc');
});

it.each([
  ['development', 'development', true],
  ['production', 'ad-hoc', true],
  ['production', 'app-store', true],
  ['production', 'enterprise', true],
  ['production', 'development', false],
  ['development', 'ad-hoc', false],
  ['development', 'app-store', false],
  ['development', 'enterprise', false],
] as const)('a certificate for %s signs builds of the type %s: %s', (type, buildType, fits) => {
  const require = (): void => requireFittingCertificate(buildType, { ...certificate, type }, now);
  if (fits) expect(require).not.toThrow();
  else expectRefusal(require, 'certificate_unfit', `The certificate Shop is for ${type}`);
});

it('a certificate that has expired signs nothing', () => {
  const expired = { ...certificate, expiresAt: now };
  const sentence = 'The certificate Shop expired on 2026-11-24';
  expectRefusal(() => requireFittingCertificate('ad-hoc', expired, now), 'certificate_unfit', sentence);
});

it('profiles that fit are chosen', () => {
  const wildcard = { ...profile, bundleId: 'com.example.*' };
  const others = [
    { ...profile, type: 'app-store' as const },
    { ...profile, expiresAt: now },
    { ...profile, teamId: 'ZZZZZZZZZZ' },
    { ...profile, certificateFingerprints: [] },
  ];
  expect(choose([...others, profile, wildcard])).toEqual([profile, wildcard]);
  expect(choose([...others, profile, wildcard], 'com.example.beta')).toEqual([wildcard]);
});

it('the first reason against all profiles is named, with what to do', () => {
  refused('has no provisioning profile of the type ad-hoc: link one to it.', []);
  const [store, development] = [
    { ...profile, type: 'app-store' as const },
    { ...profile, type: 'development' as const },
  ];
  refused('of the type ad-hoc, only of app-store, development: link', [store, development, store]);
  const old = { ...profile, name: 'Old', expiresAt: new Date('2026-01-02T00:00:00Z') };
  refused('The provisioning profile Old is expired (2026-01-02): make a new one', [store, old]);
  const foreign = { ...profile, teamId: 'ZZZZZZZZZZ' };
  refused('is of another team (ZZZZZZZZZZ) than the certificate Shop (AB12CD34EF)', [old, foreign]);
  const without = { ...profile, certificateFingerprints: ['FF:FF'] };
  refused('The provisioning profile Shop ad hoc is without the certificate Shop: add it', [foreign, without]);
  refused('are without the certificate Shop', [without, { ...without, name: 'Other' }]);
  const text =
    'is for other bundle ids (com.example.shop) than com.example.beta of the configuration staging';
  refused(text, [profile, without], 'com.example.beta');
});

it('many profiles are shortened', () => {
  const many = Array.from({ length: 500 }, (_, n) => ({
    ...profile,
    name: 'x'.repeat(200),
    teamId: String(n).padStart(10, '0'),
  }));
  refused('and 490 more', many);
  expect(() => choose(many)).toThrow(/^.{1,1100}$/);
});

it.each([{ teamId: null }, { sha256Fingerprint: null }])(
  'a certificate of which nothing is known is uploaded again: %j',
  (missing) => {
    const require = (): void => requireFittingCertificate('ad-hoc', { ...certificate, ...missing }, now);
    expectRefusal(require, 'certificate_unfit', 'upload the .p12 again as a new certificate');
  },
);
