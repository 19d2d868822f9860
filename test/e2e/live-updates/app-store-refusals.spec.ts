import { createApp, type TestApp } from '../../builders/app.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { createFinishedBuild } from '../../support/native-builds/finished-builds.js';
import { importFile } from '../../support/native-builds/imports.js';
import { type IpaDescription, makeIpa } from '../../support/native-builds/ipa-writer.js';
import {
  createAppleDestination,
  createIpaBuild,
  releaseFile,
  releaseIpa,
  type StoreDeployment,
} from '../../support/stores/store-builds.js';

const database = testEnvironment().databaseUrl;
let app: TestApp;
let destination: { id: string };

beforeAll(async () => {
  app = await createApp();
  destination = await createAppleDestination(app, { appleTeamId: 'AB12CD34EF' });
});

const submit = (appBuildId: string, values: object = {}) =>
  app.api.post(`${app.path}/deployments`, { appBuildId, appDestinationId: destination.id, ...values });

/** The sentence of a 400 about a field. */
const refused = async (response: ReturnType<typeof submit>, field: string): Promise<string> =>
  expectInvalid(await response, field).message;

describe('a deployment to App Store Connect', () => {
  it('has a submission with what the ipa and the destination say', async () => {
    const groups = { appleBetaGroups: ['Team', 'Beta'], googlePlayTrack: 'internal' };
    const { id } = await createAppleDestination(app, { ...groups, defaultLanguage: 'de-DE' });
    const releaseNotes = { default: 'Schneller ✓ ©', en_us: 'Faster.' };
    const response = await submit(await createIpaBuild(app), { appDestinationId: id, releaseNotes });
    const created = expectCreated<StoreDeployment>(response);
    expect(created).toMatchObject({
      rolloutPercentage: 1,
      releaseNotes,
      submission: { track: null, versionCode: '42', storeIds: { packageName: 'com.example.app' } },
    });
    const [stored] = await query(database, 'SELECT * FROM submissions WHERE id = $1', [created.id]);
    expect(stored).toMatchObject({
      type: 'apple-app-store-connect',
      artifact_type: 'ipa',
      package_name: 'com.example.app',
      version_name: '1.4.0',
      version_code: '42',
      signer_sha256: null,
      apple_platform: 'ios',
      uses_non_exempt_encryption: false,
      beta_groups: ['Team', 'Beta'],
      symbol_files: [],
      track: null,
      release_status: null,
    });
  });

  it('takes the answer about encryption out of the file, else of the destination', async () => {
    const stored = async (response: ReturnType<typeof submit>): Promise<unknown> => {
      const { id } = expectCreated<StoreDeployment>(await response);
      const text = 'SELECT uses_non_exempt_encryption AS answer FROM submissions WHERE id = $1';
      return (await query<{ answer: unknown }>(database, text, [id]))[0]?.answer;
    };
    const answers = await createAppleDestination(app, { appleUsesNonExemptEncryption: true });
    const to = { appDestinationId: answers.id };
    const silent = await createIpaBuild(app, { usesNonExemptEncryption: undefined });
    expect(await stored(submit(silent, to))).toBe(true);
    expect(await stored(submit(await createIpaBuild(app), to))).toBe(false);
    const message = await refused(submit(silent), 'appBuildId');
    expect(message).toMatch(/ITSAppUsesNonExemptEncryption .*appleUsesNonExemptEncryption/);
  });

  it.each([
    ['com.example.*', 201],
    ['*', 201],
    ['com.exam.*', 400],
    ['com.example.app.widget', 400],
  ])('takes a profile for %s: %i', async (profileBundleId, status) => {
    expect((await submit(await createIpaBuild(app, { profileBundleId }))).status).toBe(status);
  });

  it('takes a key without an issuer, any team without appleTeamId, and fields of other stores that say nothing', async () => {
    const { id } = await createAppleDestination(app, { appleIssuerId: null, appleId: 'ada@example.com' });
    const values = {
      appDestinationId: id,
      rolloutPercentage: 1,
      inAppUpdatePriority: null,
      cancelRunningReview: false,
      acceptNewSigner: false,
    };
    const build = await createIpaBuild(app, { teamId: 'ZZ12CD34EF', applePlatform: 'visionos' });
    expectCreated(await submit(build, values));
  });
});

describe('what App Store Connect would refuse is a 400 before anything starts', () => {
  it.each([
    ['no profile', { profileType: undefined }, /profile for the App Store: it has none: export/],
    ['a development profile', { profileType: 'development' }, /is for development: export/],
    ['an ad hoc profile', { profileType: 'ad-hoc' }, /registered devices \(ad hoc\): export/],
    ['an enterprise profile', { profileType: 'enterprise' }, /an enterprise, .*Apple Developer Program/],
    ['an expired profile', { expiresAt: '2026-01-31T12:00:00.000Z' }, /it expired on 2026-01-31/],
    ['another team', { teamId: 'ZZ99CD34EF' }, /team AB12CD34EF, .* is of ZZ99CD34EF/],
    ['a profile without a team', { teamId: undefined }, /team AB12CD34EF, .* is of none/],
    [
      'a profile of another app',
      { profileBundleId: 'com.example.other' },
      /its bundle id com\.example\.app: it is for com\.example\.other/,
    ],
    ['no version', { versionName: undefined }, /CFBundleShortVersionString, .*: it has none/],
    ['no build number', { versionCode: undefined }, /CFBundleVersion, .*: it has none/],
    ['a version of four numbers', { versionName: '1.2.3.4' }, /one to three numbers .*: it has 1\.2\.3\.4/],
    [
      'a version with a letter',
      { versionName: '1.2-beta' },
      /CFBundleShortVersionString, .*: it has 1\.2-beta/,
    ],
    ['a build number with an empty part', { versionCode: '1..2' }, /CFBundleVersion, .*: it has 1\.\.2/],
    [
      'a build number of 19 characters',
      { versionCode: '1'.repeat(19) },
      /at most 18 characters: it has 1{19}\./,
    ],
    ['Arabic digits', { versionCode: '١٢' }, /it has ١٢/],
    ['another platform', { applePlatform: undefined }, /ios, tvos, visionos, .* import it again/],
  ])('%s', async (_what, details, message) => {
    const build = await createIpaBuild(app, details as Parameters<typeof createIpaBuild>[1]);
    expect(await refused(submit(build), 'appBuildId')).toMatch(message);
  });

  it('no ipa, several, or one that was never read', async () => {
    const build = async (files: Parameters<typeof createFinishedBuild>[1]): Promise<string> =>
      (await createFinishedBuild(app, files, { platform: 'ios' })).id;
    const sentence = async (files: Parameters<typeof createFinishedBuild>[1]): Promise<string> =>
      refused(submit(await build(files)), 'appBuildId');
    expect(await sentence([releaseIpa(), releaseIpa()])).toMatch(/one ipa .*goes to a store, and it has 2/);
    expect(await sentence([releaseFile(), { type: 'zip' }])).toMatch(
      /only aab, and the destination wants ipa\./,
    );
    expect(await sentence([{ type: 'zip' }])).toMatch(/deleted by the retention/);
    expect(await sentence([{ type: 'ipa' }])).toMatch(/whose ipa the server has read/);
  });

  it.each([
    ['appAppleApiKeyId', { appAppleApiKeyId: null }, /with appAppleApiKeyId: set it first/],
    ['appleApiKeyId', { appleApiKeyId: null }, /with appleApiKeyId: set it first/],
    [
      'an API key, but with an Apple ID',
      { appAppleApiKeyId: null, appleId: 'ada@example.com', appleAppPassword: 'abcd-efgh-ijkl-mnop' },
      /must not sign in with an Apple ID: use an API key/,
    ],
  ])('a destination without %s', async (_what, values, message) => {
    const { id } = await createAppleDestination(app, values);
    const response = submit(await createIpaBuild(app), { appDestinationId: id });
    expect(await refused(response, 'appDestinationId')).toMatch(message);
  });

  it('a destination that has more groups than one may have', async () => {
    const build = await createIpaBuild(app);
    const crowded = await createAppleDestination(app);
    const groups = Array.from({ length: 21 }, (_, n) => `Group ${n}`);
    const text = 'UPDATE destinations SET apple_beta_groups = $2 WHERE id = $1';
    await query(database, text, [crowded.id, groups]);
    expect(await refused(submit(build, { appDestinationId: crowded.id }), 'appDestinationId')).toMatch(
      /at most 20 appleBetaGroups: it has 21/,
    );
  });

  it.each([
    ['rolloutPercentage', [0, 0.5]],
    ['inAppUpdatePriority', [0, 5]],
    ['cancelRunningReview', [true]],
    ['acceptNewSigner', [true]],
  ])('%s', async (field, values) => {
    const build = await createIpaBuild(app);
    for (const value of values) {
      expect(await refused(submit(build, { [field]: value }), field)).toContain('App Store Connect');
    }
  });

  it('notes with what App Store Connect does not take', async () => {
    const build = await createIpaBuild(app);
    const sentence = (releaseNotes: object): Promise<string> =>
      refused(submit(build, { releaseNotes }), 'releaseNotes');
    expect(await sentence({ default: 'x', de: 'x' })).toBe(
      'releaseNotes.de must be for a locale of App Store Connect: use de-DE, not de.',
    );
    expect(await sentence({ eo: 'x' })).toMatch(/releaseNotes\.eo .*none for the language of eo\./);
    expect(await sentence({ 'de-DE': 'x', de_de: 'y' })).toBe(
      'releaseNotes.de_de must be absent: de-DE is for the same locale, de-DE.',
    );
    expect(await sentence({ ja: '<b>New</b>' })).toBe(
      'releaseNotes.ja must not have the character <: App Store Connect refuses it.',
    );
    for (const emoji of ['🚀', '❤️', '👩‍🚀', '🇩🇪', '1️⃣']) {
      expect(await sentence({ default: `New ${emoji}` })).toContain(`such as ${emoji}`);
    }
    expect(await sentence({ default: 'ü'.repeat(4001) })).toContain('at most 4000 characters');
    expect(await sentence({ ru: 'за\u0301мок' })).toBe(
      'releaseNotes.ru must not have the combining character U+0301 after "а": App Store Connect refuses it.',
    );
    const kept = { default: `© ® ™ ✓ 1 # *${'ü'.repeat(3900)}`, 'zh-Hans': '新功能 > 旧' };
    expectCreated(await submit(build, { releaseNotes: kept }));
    const decomposed = { cs: 'e\u0301'.repeat(2000) };
    expectCreated(await submit(await createIpaBuild(app), { releaseNotes: decomposed }));
  });

  it('notes in the default language, when App Store Connect does not have that', async () => {
    const { id } = await createAppleDestination(app, { defaultLanguage: 'en' });
    const build = await createIpaBuild(app);
    const to = { appDestinationId: id };
    expect(
      await refused(submit(build, { ...to, releaseNotes: { default: 'x' } }), 'appDestinationId'),
    ).toContain(
      'defaultLanguage is a locale of App Store Connect: use en-AU or en-CA or en-GB or en-US, not en.',
    );
    expectCreated(await submit(build, { ...to, releaseNotes: { 'en-US': 'x' } }));
  });

  it('a destination or a build of another organization', async () => {
    const stranger = await createApp();
    const build = await createIpaBuild(stranger);
    const theirs = await createAppleDestination(stranger);
    expectError(await submit(build), 404, 'build_not_found');
    const to = { appDestinationId: theirs.id };
    expectError(await submit(await createIpaBuild(app), to), 404, 'destination_not_found');
  });
});

describe('an ipa that is imported', () => {
  const imported = async (ipa: IpaDescription): Promise<string> => {
    const artifact = { type: 'ipa', fileName: 'app.ipa' };
    const file = await makeIpa({ profile: 'app-store', teamId: 'AB12CD34EF', ...ipa });
    return (await importFile(app, file, { artifact, platform: 'ios' })).id;
  };

  it('is compared with what the server has read of the file itself', async () => {
    expect(await refused(submit(await imported({ profile: null })), 'appBuildId')).toMatch(/it has none/);
    expect(await refused(submit(await imported({})), 'appBuildId')).toMatch(/ITSAppUsesNonExempt/);
    const other = await imported({ teamId: 'ZZ99CD34EF' });
    expect(await refused(submit(other), 'appBuildId')).toMatch(/is of ZZ99CD34EF/);
    const { id } = await createAppleDestination(app, { appleUsesNonExemptEncryption: false });
    const build = await imported({ versionName: '2.1', versionCode: '7' });
    const response = await submit(build, { appDestinationId: id });
    expect(response.body).toMatchObject({ submission: { versionCode: '7' } });
  });
});
