import { createApp, type TestApp } from '../builders/app.js';
import { appleKeyFile, googleKeyFile } from '../builders/store-key.js';
import { Cli } from '../support/processes/cli.js';

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
