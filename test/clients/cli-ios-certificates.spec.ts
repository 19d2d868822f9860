import { createApp, type TestApp } from '../builders/app.js';
import { makeAppleIdentity, makeP12 } from '../support/native-builds/apple/identity.js';
import { makeProfile } from '../support/native-builds/apple/profile.js';
import { Cli } from '../support/processes/cli.js';

const identity = makeAppleIdentity();
const certificates = [identity.certificate.raw];

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

it('certificates for iOS are created with profiles, read, changed and deleted', async () => {
  await cli.write('shop.p12', makeP12(identity));
  await cli.write('ad-hoc.mobileprovision', makeProfile({ name: 'Ad hoc', certificates }));
  await cli.write('store.mobileprovision', makeProfile({ type: 'app-store', name: 'Store', certificates }));
  const file = ['--name', 'Shop', '--platform', 'ios', '--file', 'shop.p12', '--yes'];
  const profiles = ['ad-hoc', 'store'].flatMap((name) => [
    '--provisioning-profile',
    `${name}.mobileprovision`,
  ]);
  const wrong = await cli.run(...command('create', ...file, '--password', 'wrong'));
  expect(wrong).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('password does not open the file.'),
  });
  const { id } = await cli.json<{ id: string }>(
    ...command('create', ...file, '--password', 'storepass', ...profiles),
  );
  const linked = await app.api.get(`${app.path}/provisioning-profiles?appCertificateId=${id}`);
  expect(linked.body).toMatchObject([{ name: 'Store' }, { name: 'Ad hoc' }]);

  const target = ['--name', 'shop', '--platform', 'ios'];
  const [byName, byId, list] = await Promise.all([
    cli.json(...command('get', ...target)),
    cli.json(...command('get', '--certificate-id', id)),
    cli.json(...command('list', '--platform', 'ios', '--type', 'production')),
  ]);
  expect(byName).toMatchObject({ id, type: 'production', teamId: 'A1B2C3D4E5', fileName: 'shop.p12' });
  expect(byId).toEqual(byName);
  expect(list).toEqual([byName]);

  const update = command('update', '--certificate-id', id);
  const refused = await cli.run(...update, '--password', 'wrong');
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('password') });
  await cli.succeed(...update, '--name', 'Renamed', '--password', 'storepass');
  await cli.succeed(...command('delete', '--name', 'renamed', '--platform', 'ios', '--yes'));
  expect((await app.api.get(`${app.path}/certificates`)).body).toEqual([]);
  expect((await app.api.get(`${app.path}/provisioning-profiles`)).body).toEqual([]);
});

it('a file that is no profile is refused before a certificate is created', async () => {
  await cli.write('shop.p12', makeP12(identity));
  const file = ['--name', 'Shop', '--platform', 'ios', '--file', 'shop.p12', '--password', 'storepass'];
  const { exitCode, stderr } = await cli.run(
    ...command('create', ...file, '--provisioning-profile', 'shop.p12', '--yes'),
  );
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('file is a .p12')]);
  expect((await app.api.get(`${app.path}/certificates`)).body).toEqual([]);
});
