import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { appleKeyFile, googleKeyFile, uploadStoreKey } from '../builders/store-key.js';
import { expectCreated } from '../support/http/expect-created.js';
import { Cli } from '../support/processes/cli.js';
import type { ApiKeyFile } from '../support/stores/app-store-connect/api-keys.js';
import { AppleSite } from '../support/stores/apple-submissions.js';
import { createAppleDestination } from '../support/stores/store-builds.js';

const ISSUER = '57246542-96fe-1a63-e053-0824d011072a';

let app: TestApp;
let cli: Cli;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const command = (name: string, ...args: string[]): string[] => [
  `apps:destinations:${name}`,
  '--app-id',
  app.id,
  ...args,
];

const android =
  '--platform android --android-package-name com.example.app --google-play-track internal --android-build-artifact-type aab --android-release-status draft --google-service-account-key-file key.json'.split(
    ' ',
  );

describe('destinations for Android', () => {
  it('are created, read, changed, listed and deleted', async () => {
    await cli.write('key.json', googleKeyFile());
    const { id } = await cli.json<{ id: string }>(...command('create', '--name', 'Play Store', ...android));
    const target = ['--name', 'play store', '--platform', 'android'];
    const [byName, byId, list] = await Promise.all([
      cli.json<Record<string, unknown>>(...command('get', ...target)),
      cli.json(...command('get', '--destination-id', id)),
      cli.json(...command('list', '--platform', 'android', '--limit', '5')),
    ]);
    expect(byName).toMatchObject({
      id,
      name: 'Play Store',
      type: 'google-play',
      androidPackageName: 'com.example.app',
      androidBuildArtifactType: 'aab',
      androidReleaseStatus: 'draft',
      googlePlayTrack: 'internal',
      appGoogleServiceAccountKeyId: expect.any(String) as string,
    });
    expect(byId).toEqual(byName);
    expect(list).toEqual([byName]);
    const changes = ['--name', 'Production', '--google-play-track', 'production'];
    await cli.succeed(...command('update', '--destination-id', id, ...changes));
    expect(await cli.json(...command('get', '--destination-id', id))).toMatchObject({
      name: 'Production',
      googlePlayTrack: 'production',
      appGoogleServiceAccountKeyId: byName['appGoogleServiceAccountKeyId'],
    });
    await cli.succeed(...command('delete', '--name', 'production', '--platform', 'android', '--yes'));
    expect((await app.api.get(`${app.path}/destinations`)).body).toEqual([]);
  });

  it('are refused with what to do', async () => {
    await cli.write('key.json', '{"installed": {"client_id": "a.apps.googleusercontent.com"}}');
    const oauth = await cli.run(...command('create', '--name', 'Play Store', ...android));
    await cli.write('key.json', googleKeyFile());
    const unnamed = android.map((value) => (value === 'com.example.app' ? 'My app' : value));
    const named = await cli.run(...command('create', '--name', 'Play Store', ...unnamed));
    const failed = (message: string) => ({ exitCode: 1, stderr: expect.stringContaining(message) as string });
    expect([oauth, named]).toMatchObject([
      failed('file is an OAuth client: upload the JSON key of a service account'),
      failed('androidPackageName must be an Android application id'),
    ]);
  });
});

describe('destinations for iOS', () => {
  const ios = (...args: string[]): string[] =>
    command('create', '--name', 'App Store', '--platform', 'ios', '--apple-team-id', 'AB12CD34EF', ...args);

  it('are created with an Apple Account, and changed', async () => {
    const account = ['--apple-id', 'ada@example.com', '--apple-app-password', 'abcd-efgh-ijkl-mnop'];
    const { id } = await cli.json<{ id: string }>(...ios('--apple-app-id', '1234567890', ...account));
    const shown = await cli.succeed(...command('get', '--destination-id', id, '--json'));
    expect(shown).toContain('ada@example.com');
    expect(shown).not.toContain('abcd-efgh');
    const ids = ['--apple-api-key-id', '2X9R4HXF34', '--apple-issuer-id', ISSUER];
    await cli.succeed(...command('update', '--destination-id', id, ...ids));
    expect(await cli.json(...command('get', '--destination-id', id))).toMatchObject({
      type: 'apple-app-store-connect',
      appleAppId: '1234567890',
      appleApiKeyId: '2X9R4HXF34',
      appleIssuerId: ISSUER,
    });
  });

  it('are created by API key in a terminal, where the id of the key is asked for', async () => {
    await cli.write('AuthKey.p8', appleKeyFile);
    const args = ios('--apple-api-key-file', 'AuthKey.p8', '--apple-issuer-id', ISSUER);
    const { exitCode, stderr } = await cli.run(...args);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('You must provide the Apple API Key ID')]);
    const terminal = cli.inTerminal(...args);
    await terminal.waitFor(/Enter the Apple API Key ID/);
    terminal.type('2X9R4HXF34\r');
    await terminal.waitFor(/Destination created successfully/);
    expect((await terminal.end()).exitCode).toBe(0);
    const { body } = await app.api.get(`${app.path}/destinations`);
    expect(body).toMatchObject([
      { appleApiKeyId: '2X9R4HXF34', appleIssuerId: ISSUER, appAppleApiKeyId: expect.any(String) as string },
    ]);
  });
});

describe('destinations in App Store Connect', () => {
  let apple: AppleSite;
  let shop: TestApp;
  let key: ApiKeyFile;
  let appleAppId: string;

  beforeAll(async () => {
    apple = await AppleSite.start();
  });
  afterAll(() => apple.dispose());

  beforeEach(async () => {
    await apple.connect.clear();
    appleAppId = apple.connect.addApp({ bundleId: 'com.example.app' }).id;
    key = apple.connect.addKey();
    shop = await createApp(await createTenant(apple.site));
    cli = await Cli.create(shop.tenant.owner.token, apple.site.origin);
  });

  const ofShop = (name: string, ...args: string[]): string[] => [
    `apps:destinations:${name}`,
    '--app-id',
    shop.id,
    ...args,
  ];

  /** Whether App Store Connect accepts the key, and shows the app. */
  const expectWorking = async (id: string): Promise<void> => {
    const { body } = await shop.api.post(`${shop.path}/destinations/${id}/verify`);
    expect(body).toMatchObject({ ok: true, apps: [{ appleAppId, isMatch: true }] });
  };

  it('are created by the form of a terminal, changed, read, listed and deleted', async () => {
    await cli.write('AuthKey.p8', key.p8);
    const terminal = cli.inTerminal(...ofShop('create', '--name', 'TestFlight', '--platform', 'ios'));
    for (const [question, answer] of [
      [/Select the authentication method/, ''],
      [/path to the Apple API key/, 'AuthKey.p8'],
      [/Enter the Apple API Key ID/, key.keyId],
      [/Enter the Apple Issuer ID/, key.issuerId ?? ''],
      [/Enter the Apple Team ID/, 'A1B2C3D4E5'],
    ] as const) {
      await terminal.waitFor(question);
      terminal.type(`${answer}\r`);
    }
    const [, id = ''] = await terminal.waitFor(/Destination ID: ([0-9a-f-]{36})/);
    expect((await terminal.end()).exitCode).toBe(0);

    await cli.succeed(...ofShop('update', '--destination-id', id, '--apple-app-id', appleAppId));
    await expectWorking(id);
    const target = ['--name', 'testflight', '--platform', 'ios'];
    const shown = await cli.json(...ofShop('get', ...target));
    expect(shown).toMatchObject({ id, appleTeamId: 'A1B2C3D4E5', appleAppId, appleId: null });
    expect(await cli.json(...ofShop('list', '--platform', 'ios'))).toEqual([shown]);
    expect(JSON.stringify(shown)).not.toContain('PRIVATE KEY');
    await cli.succeed(...ofShop('delete', ...target, '--yes'));
    expect(await cli.json(...ofShop('list'))).toEqual([]);
  });

  it('are created without a terminal by the other method, and get their key afterwards', async () => {
    const uploaded = await uploadStoreKey(shop, 'apple-api-keys', key.p8);
    const { id: keyFileId } = expectCreated<{ id: string }>(uploaded);
    const unused = ['--apple-id', 'unused@example.com', '--apple-app-password', 'unused'];
    const app = ['--apple-app-id', appleAppId, '--apple-team-id', 'A1B2C3D4E5'];
    const named = ['--name', 'TestFlight', '--platform', 'ios'];
    const { id } = await cli.json<{ id: string }>(...ofShop('create', ...named, ...app, ...unused));
    const ids = ['--apple-api-key-id', key.keyId, '--apple-issuer-id', key.issuerId ?? ''];
    const file = ['--app-apple-api-key-id', keyFileId];
    await cli.succeed(...ofShop('update', '--destination-id', id, ...file, ...ids));
    await expectWorking(id);
  });

  it('are refused with what to do', async () => {
    const { id } = await createAppleDestination(shop);
    await cli.write('AuthKey.p8', '{"type": "service_account"}');
    const apiKey = ['--apple-api-key-file', 'AuthKey.p8', '--apple-issuer-id', ISSUER];
    const update = ofShop('update', '--destination-id', id);
    const answers = await Promise.all([
      cli.run(...ofShop('create', '--name', 'A', '--platform', 'ios', ...apiKey)),
      cli.run(...update, '--apple-api-key-id', 'AuthKey_2X9R4HXF34.p8'),
      cli.run(...update, '--apple-issuer-id', 'Example Ltd'),
      cli.run(...update, '--app-apple-api-key-id', '0197f0a4-8f3e-7c1d-9b1a-000000000000'),
    ]);
    const failed = (message: string) => ({ exitCode: 1, stderr: expect.stringContaining(message) as string });
    expect(answers).toMatchObject([
      failed('upload the .p8 that App Store Connect offers for an API key'),
      failed('appleApiKeyId must be the id of an API key: 10 capital letters and digits'),
      failed('appleIssuerId must be'),
      failed('Store key not found'),
    ]);
  });
});
