import { pem } from '../builders/certificate.js';
import { createApp, type TestApp } from '../builders/app.js';
import { createEnvironment } from '../builders/environment.js';
import { Cli } from '../support/processes/cli.js';

let app: TestApp;
let cli: Cli;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const command = (name: string, ...args: string[]): string[] => [`apps:${name}`, '--app-id', app.id, ...args];

interface Values {
  readonly appEnvironmentVariables: { key: string; value: string }[];
  readonly appEnvironmentSecrets: { key: string; masked: boolean }[];
}

describe('environments', () => {
  it('are created, filled from files and arguments, and read by name', async () => {
    await cli.write('.env', '# Addresses\nexport API_URL=https://api.example.com\nOLD=1\n');
    await cli.write('.env.secret', 'API_KEY=correct horse\n');
    const { id } = await cli.json<{ id: string }>(...command('environments:create', '--name', 'Production'));
    const target = ['--name', 'production'];
    const variables = ['--variable-file', '.env', '--variable', 'OLD=a=b'];
    const secrets = ['--secret-file', '.env.secret', '--secret', 'PIN=123'];
    await cli.succeed(...command('environments:set', ...target, ...variables, ...secrets));
    const [byName, byId, list] = await Promise.all([
      cli.json<Values>(...command('environments:get', ...target)),
      cli.json<Values>(...command('environments:get', '--environment-id', id)),
      cli.json<Values[]>(...command('environments:list')),
    ]);
    expect(byName).toMatchObject({ id, name: 'Production' });
    expect(byId).toEqual(byName);
    expect(list).toEqual([byName]);
    expect(byName.appEnvironmentVariables).toMatchObject([
      { key: 'API_URL', value: 'https://api.example.com' },
      { key: 'OLD', value: 'a=b' },
    ]);
    expect(byName.appEnvironmentSecrets).toMatchObject([
      { key: 'API_KEY', masked: true },
      { key: 'PIN', masked: false },
    ]);
    expect(JSON.stringify(byName)).not.toContain('correct horse');

    const removed = ['--variable', 'OLD', '--variable', 'UNKNOWN', '--secret', 'PIN'];
    await cli.succeed(...command('environments:unset', ...target, ...removed));
    const left = await cli.json<Values>(...command('environments:get', ...target));
    expect(left.appEnvironmentVariables.map(({ key }) => key)).toEqual(['API_URL']);
    expect(left.appEnvironmentSecrets.map(({ key }) => key)).toEqual(['API_KEY']);
  });

  it('refuse reserved keys with the reason, and are deleted by name', async () => {
    const { name } = await createEnvironment(app);
    const results = await Promise.all([
      cli.run(...command('environments:set', '--name', name, '--variable', 'CI_COMMIT=1')),
      cli.run(...command('environments:set', '--name', name, '--secret', 'PATH=/tmp')),
      cli.run(...command('environments:set', '--name', name, '--variable', 'my-key=1')),
      cli.run(...command('environments:create', '--name', name.toUpperCase())),
      cli.run(...command('environments:delete', '--name', 'unknown', '--yes')),
    ]);
    const failed = (message: string) => ({ exitCode: 1, stderr: expect.stringContaining(message) as string });
    expect(results).toMatchObject([
      failed('key must not be CI_COMMIT'),
      failed('key must not be PATH'),
      failed('not starting with a digit; this one is "my-key".'),
      failed('already exists'),
      failed('Environment not found.'),
    ]);
    await cli.succeed(...command('environments:delete', '--name', name, '--yes'));
    expect((await app.api.get(`${app.path}/environments?name=${name}`)).body).toEqual([]);
  });
});

it('configurations are created, changed, listed and deleted', async () => {
  const values = ['--display-name', 'Shop (staging)', '--package-name', 'com.example.staging'];
  const { id } = await cli.json<{ id: string }>(
    ...command('configurations:create', '--name', 'staging', ...values),
  );
  const changes = ['--configuration-id', id, '--package-name', 'com.example.beta'];
  await cli.succeed(...command('configurations:update', ...changes));
  const [one, list, refused] = await Promise.all([
    cli.json(...command('configurations:get', '--configuration-id', id)),
    cli.json(...command('configurations:list')),
    cli.run(...command('configurations:create', '--name', 'wrong', '--package-name', 'shop')),
  ]);
  expect(one).toMatchObject({ id, displayName: 'Shop (staging)', packageName: 'com.example.beta' });
  expect(list).toEqual([one]);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('packageName must be') });
  await cli.succeed(...command('configurations:delete', '--name', 'STAGING', '--yes'));
  expect((await app.api.get(`${app.path}/configurations`)).body).toEqual([]);
});

describe('certificates', () => {
  it('are made of the signing key that the tool generates', async () => {
    await cli.succeed('apps:liveupdates:generatesigningkey');
    const { id } = await cli.json<{ id: string }>(
      ...command(
        'certificates:create',
        '--name',
        'Signing',
        '--platform',
        'web',
        '--file',
        'private.pem',
        '--yes',
      ),
    );
    const target = ['--name', 'signing', '--platform', 'web'];
    const [byName, list] = await Promise.all([
      cli.json(...command('certificates:get', ...target)),
      cli.json(...command('certificates:list', '--platform', 'web')),
    ]);
    expect(byName).toMatchObject({ id, type: 'production', fileName: 'private.pem' });
    expect(list).toEqual([byName]);
    await cli.succeed(...command('certificates:delete', ...target, '--yes'));
    expect((await app.api.get(`${app.path}/certificates`)).body).toEqual([]);
  });

  it('are opened with their password, also a new one', async () => {
    await cli.write('encrypted.pem', pem('correct horse'));
    const create = ['--name', 'Encrypted', '--platform', 'web', '--file', 'encrypted.pem', '--yes'];
    const wrong = await cli.run(...command('certificates:create', ...create, '--password', 'wrong'));
    expect(wrong).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('password does not open the file.'),
    });
    const { id } = await cli.json<{ id: string }>(
      ...command('certificates:create', ...create, '--password', 'correct horse'),
    );
    const update = command('certificates:update', '--certificate-id', id);
    const refused = await cli.run(...update, '--password', 'wrong');
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('password') });
    await cli.succeed(...update, '--name', 'Renamed', '--password', 'correct horse');
    expect((await app.api.get(`${app.path}/certificates/${id}`)).body).toMatchObject({ name: 'Renamed' });
  });

  it('that are no .p12 are refused for iOS with the reason', async () => {
    await cli.write('distribution.p12', 'keystore');
    const file = ['--file', 'distribution.p12', '--password', 'x', '--yes'];
    const { exitCode, stderr } = await cli.run(
      ...command('certificates:create', '--name', 'Store', '--platform', 'ios', ...file),
    );
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('file is no .p12')]);
  });
});
