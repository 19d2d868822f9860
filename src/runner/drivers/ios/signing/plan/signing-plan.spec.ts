import { makeAppleIdentity, makeP12 } from '../../../../../../test/support/native-builds/apple/identity.js';
import { readIosCertificate } from '../../../../../native-builds/certificate-readers/ios-certificate-reader.js';
import type {
  PayloadCertificateDto,
  PayloadProfileDto,
} from '../../../../../native-builds/runner-builds/build-payload.dto.js';
import type { BuildRun } from '../../../../steps/build-run.js';
import { planSigning } from './signing-plan.js';
import { signingSettings } from './signing-settings.js';
import type { TargetToSign } from './target-to-sign.js';

const identity = makeAppleIdentity();
const NOW = new Date();
const IN_A_MONTH = new Date(NOW.getTime() + 30 * 24 * 3600 * 1000).toISOString();
const app: TargetToSign = { name: 'App', bundleId: 'com.example.app' };
const widget: TargetToSign = { name: 'Widget', bundleId: 'com.example.app.widget' };
let count = 0;

function profile(bundleId: string, values: Partial<PayloadProfileDto> = {}): PayloadProfileDto {
  const uuid = `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
  return {
    uuid,
    name: `For ${bundleId}`,
    type: 'app-store',
    teamId: identity.teamId,
    bundleId,
    expiresAt: IN_A_MONTH,
    certificateFingerprints: [identity.sha256Fingerprint],
    file: '',
    ...values,
  };
}

function runWith(
  profiles: readonly PayloadProfileDto[],
  environment: Record<string, string> = {},
  certificate: Partial<PayloadCertificateDto> = {},
): Pick<BuildRun, 'payload'> {
  const payload = {
    environment,
    secrets: {},
    certificate: {
      type: 'production',
      fileName: 'key.p12',
      file: makeP12(identity).toString('base64'),
      password: 'storepass',
      keyAlias: null,
      keyPassword: null,
      profiles: [...profiles],
      ...certificate,
    },
  };
  return { payload } as unknown as Pick<BuildRun, 'payload'>;
}

const plan = (
  profiles: readonly PayloadProfileDto[],
  targets = [app],
  environment: Record<string, string> = {},
) => planSigning(runWith(profiles, environment), 'app-store', targets, NOW);

function chosen(profiles: readonly PayloadProfileDto[], targets = [app], map?: string): string[] {
  const environment: Record<string, string> = map === undefined ? {} : { IOS_PROVISIONING_PROFILE_MAP: map };
  return plan(profiles, targets, environment).targets.map((target) => target.profile.uuid);
}

it('chooses the profile of each bundle id, and the team', () => {
  const [one, two] = [profile(app.bundleId), profile(widget.bundleId)];
  const result = plan([two, one], [app, widget]);
  expect(result).toEqual({
    teamId: identity.teamId,
    type: 'app-store',
    targets: [
      { target: 'App', bundleId: app.bundleId, profile: one },
      { target: 'Widget', bundleId: widget.bundleId, profile: two },
    ],
  });
  expect(signingSettings(result, identity.sha1).get('Widget')).toMatchObject({
    CODE_SIGN_STYLE: 'Manual',
    DEVELOPMENT_TEAM: identity.teamId,
    PROVISIONING_PROFILE_SPECIFIER: two.uuid,
    CODE_SIGN_IDENTITY: identity.sha1,
  });
});

it('prefers the exact bundle id, then the longest wildcard, then the latest expiry', () => {
  const all = profile('*');
  const short = profile('com.*');
  const long = profile('com.example.*');
  const exact = profile(app.bundleId);
  const later = profile(app.bundleId, { expiresAt: new Date(Date.parse(IN_A_MONTH) + 1).toISOString() });
  expect(chosen([all])).toEqual([all.uuid]);
  expect(chosen([all, short, long])).toEqual([long.uuid]);
  expect(chosen([all, exact, long])).toEqual([exact.uuid]);
  expect(chosen([exact, later, long])).toEqual([later.uuid]);
});

it('takes a wildcard when the exact profile does not fit', () => {
  const expired = profile(app.bundleId, { expiresAt: new Date(NOW.getTime() - 1).toISOString() });
  const wildcard = profile('com.example.*');
  expect(chosen([expired, wildcard])).toEqual([wildcard.uuid]);
});

it('compares fingerprints without colons and case', () => {
  const certificateFingerprints = [identity.sha256Fingerprint.replaceAll(':', '').toLowerCase()];
  expect(chosen([profile(app.bundleId, { certificateFingerprints })])).toHaveLength(1);
});

it.each<[string, Partial<PayloadProfileDto>, string]>([
  ['of another type', { type: 'ad-hoc' }, 'is for the type ad-hoc, and this build has the type app-store.'],
  ['that has expired', { expiresAt: '2020-01-02T03:04:05Z' }, 'expired on 2020-01-02.'],
  ['with an unreadable expiry', { expiresAt: 'soon' }, 'expired on an unknown day.'],
  [
    'of another team',
    { teamId: 'ZZZZZZZZZZ' },
    `belongs to the team "ZZZZZZZZZZ", and the certificate to "${identity.teamId}".`,
  ],
  [
    'without the certificate',
    { certificateFingerprints: ['AA:BB'] },
    'does not contain the certificate of this build.',
  ],
])('refuses a profile %s', (_what, values, message) => {
  expect(() => plan([profile(app.bundleId, values)])).toThrow(
    `The provisioning profile "For com.example.app" for the target "App" with the bundle id "com.example.app" ${message}`,
  );
});

it('names the target without a profile, and what the others are for', () => {
  const profiles = [profile(app.bundleId), profile('org.example.*')];
  expect(() => plan(profiles, [app, widget])).toThrow(
    'There is no provisioning profile for the target "Widget" with the bundle id "com.example.app.widget": those of the certificate are for "com.example.app" and "org.example.*".',
  );
  expect(() => plan([])).toThrow('the certificate has none for the type app-store.');
});

it('keeps messages on one line', () => {
  const hostile = { name: 'App\nWARNING: \u001b[31m', bundleId: `${'x'.repeat(5000)}\r\n` };
  const profiles = Array.from({ length: 500 }, (_, index) => profile(`com.example.app${index}`));
  expect(() => plan(profiles, [hostile])).toThrow(/^.{1,1500}$/u);
});

it('needs a certificate, a target, and one team', () => {
  const run = { payload: { certificate: null } } as unknown as Pick<BuildRun, 'payload'>;
  expect(() => planSigning(run, 'ad-hoc', [app])).toThrow('of the type ad-hoc needs a certificate');
  expect(() => plan([profile('*')], [])).toThrow('no target that can be signed');
  const nameless = makeAppleIdentity({ teamId: null });
  const teams = ['AAAAAAAAAA', 'BBBBBBBBBB'].map((teamId, index) =>
    profile([app, widget][index]!.bundleId, {
      teamId,
      certificateFingerprints: [nameless.sha256Fingerprint],
    }),
  );
  const file = makeP12(nameless).toString('base64');
  expect(() => planSigning(runWith(teams, {}, { file }), 'app-store', [app, widget])).toThrow(
    'belong to several teams: "AAAAAAAAAA" and "BBBBBBBBBB".',
  );
  expect(planSigning(runWith([teams[0]!], {}, { file }), 'app-store', [app]).teamId).toBe('AAAAAAAAAA');
});

it('refuses a certificate that has expired, before anything else of it is compared', () => {
  const old = makeAppleIdentity({ days: -1 });
  const run = runWith([], {}, { file: makeP12(old).toString('base64') });
  expect(() => planSigning(run, 'app-store', [app])).toThrow(
    /^The certificate "Apple Distribution.*" expired on \d/,
  );
});

it.each<[string, Partial<PayloadCertificateDto>, string]>([
  ['with a wrong password', { password: 'wrong' }, 'The password of the certificate does not open its file.'],
  ['without a password', { password: null }, 'The password of the certificate does not open its file.'],
  ['that is damaged', { file: makeP12(identity).subarray(0, 900).toString('base64') }, 'damaged'],
  ['that is empty', { file: '' }, 'damaged'],
  [
    'with two keys',
    { file: makeP12([identity, makeAppleIdentity({ pair: 1 })]).toString('base64') },
    '2 private keys',
  ],
  [
    'without a certificate',
    { file: makeP12(identity, 'storepass', { hasNoCertificates: true }).toString('base64') },
    'not its certificate',
  ],
])('refuses a file %s', (_what, certificate, message) => {
  expect(() => planSigning(runWith([profile('*')], {}, certificate), 'app-store', [app])).toThrow(message);
});

describe('IOS_PROVISIONING_PROFILE_MAP', () => {
  const profiles = [
    profile(app.bundleId),
    profile('com.example.*'),
    profile(widget.bundleId),
    profile('com.example.app.*'),
  ];
  const [exact, wildcard, ofWidget, long] = profiles.map(({ uuid }) => uuid);

  it('chooses among the profiles for its bundle id, also by their wildcard', () => {
    expect(chosen(profiles, [app, widget], `{"${widget.bundleId}":"Widget"}`)).toEqual([exact, ofWidget]);
    expect(chosen(profiles, [app, widget], '{"com.example.*":"Widget"}')).toEqual([exact, wildcard]);
    expect(chosen(profiles, [app, widget], '{"com.example.app.*":"Widget"}')).toEqual([exact, long]);
    expect(chosen(profiles, [app], ' {} ')).toEqual([exact]);
    expect(chosen(profiles, [app], '  ')).toEqual([exact]);
  });

  it.each([
    ['{"com.example.app"', 'must be a JSON object'],
    ['["App"]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['"App"', 'must be a JSON object'],
    ['{"com.example.app":7}', 'must have the name of a target for "com.example.app"'],
    ['{"com.example.app":{"name":"App"}}', 'must have the name of a target'],
    ['{"__proto__":"App"}', 'has the key "__proto__", which is no bundle id'],
    ['{"a b":"App"}', 'which is no bundle id'],
    ['{"":"App"}', 'which is no bundle id'],
    [
      '{"com.example.app":"constructor"}',
      'names the target "constructor", and the targets that are signed are "App".',
    ],
    ['{"com.example.app":"App","com.example.b":"App"}', 'has two bundle ids for the target "App"'],
    [
      '{"org.example":"App"}',
      'There is no provisioning profile for the target "App" with the bundle id "com.example.app", for which IOS_PROVISIONING_PROFILE_MAP names "org.example"',
    ],
    [`{"${widget.bundleId}":"App"}`, undefined],
  ])('reads %s', (map, message) => {
    if (message === undefined) expect(chosen(profiles, [app], map)).toEqual([wildcard]);
    else expect(() => chosen(profiles, [app], map)).toThrow(message);
  });

  it('says when the bundle id of the target is another', () => {
    const only = [profile(widget.bundleId)];
    expect(() => chosen(only, [app], `{"${widget.bundleId}":"App"}`)).toThrow(
      `gives the target "App" the provisioning profiles for "${widget.bundleId}", and its bundle id is "${app.bundleId}".`,
    );
  });
});

it.each([
  ['letters of other languages in its password', { form: 'modern' }, 'pässwörd ✓'],
  ['no password at all', { form: 'legacy', hasMac: false, algorithm: '3des' }, null],
] as const)('opens a .p12 with %s, as the API does', (_, options, password) => {
  const file = makeP12(identity, password as string, options).toString('base64');
  const run = runWith([profile(app.bundleId)], {}, { file, password });
  expect(planSigning(run, 'app-store', [app], NOW).targets).toHaveLength(1);
  const read = readIosCertificate({
    platform: 'ios',
    file: Buffer.from(file, 'base64'),
    password,
    keyAlias: null,
    keyPassword: null,
  });
  expect(read).toMatchObject({ facts: { sha256Fingerprint: identity.sha256Fingerprint } });
});
