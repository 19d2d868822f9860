import { createApp, type TestApp } from '../builders/app.js';
import { makeIdentity } from '../support/native-builds/keystores/identity.js';
import { jks } from '../support/native-builds/keystores/jks.js';
import { hasKeytool, keystoreOfKeytool } from '../support/native-builds/keystores/keytool.js';
import { pkcs12 } from '../support/native-builds/keystores/pkcs12.js';
import { Cli } from '../support/processes/cli.js';

const identity = makeIdentity();
let app: TestApp;
let cli: Cli;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const command = (name: string, ...args: string[]): string[] => [
  `apps:certificates:${name}`,
  '--app-id',
  app.id,
  ...args,
];
const create = (name: string, ...args: string[]): string[] =>
  command('create', '--name', name, '--platform', 'android', '--yes', ...args);

/** What `apps:certificates:create` sends for a keystore that `keytool` made. */
async function createOfKeytool(type: string, ...args: string[]): Promise<string[]> {
  const password = ['-storepass', 'storepass'];
  await cli.write(`${type}.keystore`, keystoreOfKeytool('Upload', '-storetype', type, ...password, ...args));
  return ['--file', `${type}.keystore`, '--password', 'storepass', '--key-alias', 'Upload'];
}

describe('certificates for Android', () => {
  it('are created, read, changed, listed and deleted', async () => {
    await cli.write('upload.jks', jks([{ alias: 'upload', identity, keyPassword: 'keypass' }], 'storepass'));
    const file = ['--file', 'upload.jks', '--password', 'storepass', '--key-alias', 'upload'];
    const { id } = await cli.json<{ id: string }>(...create('Upload', ...file, '--key-password', 'keypass'));
    const target = ['--name', 'upload', '--platform', 'android'];
    const [byName, byId, list] = await Promise.all([
      cli.json(...command('get', ...target)),
      cli.json(...command('get', '--certificate-id', id)),
      cli.json(...command('list', '--platform', 'android', '--type', 'production')),
    ]);
    expect(byName).toMatchObject({
      id,
      fileName: 'upload.jks',
      keyAlias: 'upload',
      type: 'production',
      subject: 'CN=Upload, O=Example, C=DE',
      sha256Fingerprint: identity.certificate.fingerprint256,
    });
    expect(byId).toEqual(byName);
    expect(list).toEqual([byName]);
    const update = command('update', '--certificate-id', id, '--password', 'storepass');
    const refused = await cli.run(...update, '--key-password', 'wrong');
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('does not open the key') });
    await cli.succeed(...update, '--name', 'Renamed', '--key-alias', 'UPLOAD', '--key-password', 'keypass');
    expect(await cli.json(...command('get', '--certificate-id', id))).toMatchObject({ name: 'Renamed' });
    await cli.succeed(...command('delete', '--name', 'renamed', '--platform', 'android', '--yes'));
    expect((await app.api.get(`${app.path}/certificates`)).body).toEqual([]);
  });

  it('are refused with what to do', async () => {
    await cli.write('upload.p12', pkcs12([{ alias: 'upload', identity }], 'storepass'));
    await cli.write('app.apk', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(500_000)]));
    const attempt = (file: string, password: string, alias: string) =>
      cli.run(...create('Upload', '--file', file, '--password', password, '--key-alias', alias));
    const results = [
      await attempt('upload.p12', 'wrong', 'upload'),
      await attempt('upload.p12', 'storepass', 'release'),
      await attempt('app.apk', 'storepass', 'upload'),
    ];
    const failed = (message: string) => ({ exitCode: 1, stderr: expect.stringContaining(message) as string });
    expect(results).toMatchObject([
      failed('password does not open the keystore.'),
      failed('keyAlias is not in the keystore, which has the key upload.'),
      failed('file has more than 256 KiB'),
    ]);
  });
});

(hasKeytool ? describe : describe.skip)('keystores of keytool', () => {
  it('are opened, in the formats of old and new versions', async () => {
    const shown = { keyAlias: 'upload', subject: 'CN=Upload, O=Example, C=DE', type: 'production' };
    for (const [type, ...args] of [['PKCS12'], ['PKCS12', '-J-Dkeystore.pkcs12.legacy'], ['JKS']] as const) {
      const { id } = await cli.json<{ id: string }>(
        ...create([type, ...args].join(' '), ...(await createOfKeytool(type, ...args))),
      );
      expect(await cli.json(...command('get', '--certificate-id', id))).toMatchObject(shown);
    }
    const file = await createOfKeytool('JKS', '-keypass', 'keypass');
    const missing = await cli.run(...create('No key password', ...file));
    expect(missing.stderr).toContain('keyPassword is required');
    await cli.succeed(...create('Key password', ...file, '--key-password', 'keypass'));
  });

  it('of the type JCEKS are named', async () => {
    const { exitCode, stderr } = await cli.run(...create('JCEKS', ...(await createOfKeytool('JCEKS'))));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('a keystore of the type JCEKS')]);
  });
});
