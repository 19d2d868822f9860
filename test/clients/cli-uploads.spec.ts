import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { createMember } from '../builders/identities.js';
import { publishZip } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';
import { ElectronDevice } from '../support/devices/electron.js';
import { IosDevice } from '../support/devices/ios.js';
import { zipOf } from '../support/live-updates/archives.js';
import { MANIFEST } from '../support/live-updates/uploads.js';
import { Cli } from '../support/processes/cli.js';
import { sha256 } from '../support/sha256.js';

/** One byte more than what is sent in one piece. */
const LARGE = 10 * 1024 * 1024 + 1;

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;

let app: TestApp;
let cli: Cli;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const upload = (...args: string[]): string[] => [
  'apps:liveupdates:upload',
  '--app-id',
  app.id,
  '--yes',
  ...args,
];
const register = (...args: string[]): string[] => [
  'apps:liveupdates:register',
  '--app-id',
  app.id,
  '--yes',
  ...args,
];

/** Ids that `--json` prints. */
interface Printed {
  readonly appBuildId: string;
  readonly appBuildArtifactId: string;
}

async function writeWww(): Promise<void> {
  await cli.write('www/index.html', '<h1>Shop</h1>');
  await cli.write('www/assets/js/app.js', 'start();');
  await cli.write('www/assets/empty.txt', '');
  await cli.write('www/assets/Grüße & 1+1 = 100%.txt', 'hello');
}

const WWW = new Map([
  ['index.html', Buffer.from('<h1>Shop</h1>')],
  ['assets/js/app.js', Buffer.from('start();')],
  ['assets/empty.txt', Buffer.alloc(0)],
  ['assets/Grüße & 1+1 = 100%.txt', Buffer.from('hello')],
]);

describe('a zip', () => {
  it('is uploaded to a channel that requires approvals, and runs nowhere until it has them', async () => {
    await writeWww();
    const { body } = await app.api.post(`${app.path}/channels`, { name: 'production', requiredApprovals: 1 });
    expect(body).toMatchObject({ requiredApprovals: 1 });
    const { appBuildArtifactId } = await cli.json<Printed>(
      ...upload('--channel', 'production', '--path', 'www'),
    );
    const device = new AndroidDevice({ appId: app.id, channelName: 'production' });
    expect((await device.check()).status).toBe(404);
    const [deployment] = (await app.api.get(`${app.path}/deployments`)).body as { id: string }[];
    const other = await createMember(app.tenant, 'member');
    await other.api.post(`${app.path}/deployments/${deployment?.id}/approvals`, {});
    expect(await device.sync()).toMatchObject({ bundleId: appBuildArtifactId });
  });

  it('is made of a folder and runs on the devices of the default channel', async () => {
    await writeWww();
    const printed = await cli.succeed(...upload('--path', 'www'));
    const [, bundleId] = /Build Artifact ID: (\S+)/.exec(printed) ?? [];
    const [, deploymentId] = /Deployment URL: \S+\/deployments\/(\S+)/.exec(printed) ?? [];
    const devices = [AndroidDevice, IosDevice, ElectronDevice].map((Device) => new Device({ appId: app.id }));
    for (const device of devices) {
      expect(await device.sync()).toMatchObject({ bundleId });
      expect(device.files).toEqual(WWW);
    }
    const { body } = await app.api.get(`${app.path}/channels/${app.defaultChannelId}`);
    expect(body).toMatchObject({ appDeploymentId: deploymentId, totalAppDeployments: 1 });
  });

  it('is sent in parts when it is larger than 10 MiB', async () => {
    const content = randomBytes(LARGE);
    await cli.write('bundle.zip', await zipOf({ 'index.html': '1', 'video.bin': content }));
    const printed = await cli.succeed(...upload('--path', 'bundle.zip'));
    expect(printed).toContain('Uploading file (part 2/2)');
    const device = new AndroidDevice({ appId: app.id });
    await device.sync();
    expect(device.files.get('video.bin')?.equals(content)).toBe(true);
  });

  it('is signed with a key file or the text of a key', async () => {
    await writeWww();
    await cli.write('key.pem', privatePem);
    const inOneLine = privatePem.replaceAll('\n', ' ').trim();
    for (const key of ['key.pem', inOneLine]) {
      const { appBuildArtifactId } = await cli.json<Printed>(
        ...upload('--path', 'www', `--private-key=${key}`),
      );
      for (const Device of [AndroidDevice, IosDevice, ElectronDevice]) {
        const device = new Device({ appId: app.id, publicKey: publicPem });
        expect(await device.sync()).toMatchObject({ bundleId: appBuildArtifactId });
      }
    }
  });
});

describe('a manifest', () => {
  it('has every file of the folder, and the next update costs only what has changed', async () => {
    await writeWww();
    const large = randomBytes(LARGE);
    await cli.write('www/assets/video.bin', large);
    // Many files, and several of the same content at once.
    const icons = Array.from(
      { length: 60 },
      (_, index) => [`icons/${index}.svg`, `<svg id="${index % 7}"/>`] as const,
    );
    for (const [href, content] of icons) await cli.write(`www/${href}`, content);
    const device = new IosDevice({ appId: app.id });
    await cli.succeed(...upload('--path', 'www', '--artifact-type', 'manifest'));
    // Its zip may have been made already.
    expect([1, 66]).toContain((await device.sync()).downloads.length);
    const { 'assets/video.bin': video, ...others } = Object.fromEntries(device.files);
    expect(others).toEqual({
      ...Object.fromEntries(WWW),
      ...Object.fromEntries(icons.map(([href, content]) => [href, Buffer.from(content)])),
    });
    expect(video?.equals(large)).toBe(true);

    await cli.write('www/assets/js/app.js', 'start(2);');
    const { appBuildArtifactId } = await cli.json<Printed>(
      ...upload('--path', 'www', '--artifact-type', 'manifest'),
    );
    expect(await device.sync()).toMatchObject({
      bundleId: appBuildArtifactId,
      downloads: [MANIFEST, 'assets/js/app.js'],
    });
    expect(device.files.get('assets/js/app.js')?.toString()).toBe('start(2);');
  });

  it('is delivered byte for byte as it was signed', async () => {
    await writeWww();
    await cli.write('key.pem', privatePem);
    const { appBuildArtifactId } = await cli.json<Printed>(
      ...upload('--path', 'www', '--artifact-type', 'manifest', '--private-key', 'key.pem'),
    );
    const device = new AndroidDevice({ appId: app.id, publicKey: publicPem });
    expect(await device.sync()).toMatchObject({ bundleId: appBuildArtifactId });
    expect(device.files).toEqual(WWW);
    const { body } = await app.api
      .request('get', `${app.path}/bundles/${appBuildArtifactId}/download?href=${MANIFEST}`)
      .responseType('blob');
    expect(body).toEqual(await readFile(join(cli.folder, 'www', MANIFEST)));
  });

  it('leaves out files that the tool uploads but does not list', async () => {
    await writeWww();
    await cli.write('www/.DS_Store', 'finder');
    await cli.succeed(...upload('--path', 'www', '--artifact-type', 'manifest'));
    const device = new AndroidDevice({ appId: app.id });
    await device.sync();
    expect(device.files).toEqual(WWW);
  });
});

describe('an upload', () => {
  it('keeps every detail of the build', async () => {
    await writeWww();
    const { id: channelId } = await createChannel(app, { name: 'release 1+2' });
    const { appBuildId, appBuildArtifactId } = await cli.json<Printed>(
      ...upload(
        '--path=www',
        '--channel=release 1+2',
        '--rollout-percentage=35',
        '--android-min=10',
        '--android-max=20',
        '--android-eq=15',
        '--ios-min=1.0.5',
        '--ios-max=2',
        '--ios-eq=1.1',
        '--git-ref=main',
        '--commit-message=Fix',
        '--commit-ref=main',
        '--commit-sha=abc123',
        '--custom-property=color=green',
        '--custom-property=note=a=b',
      ),
    );
    expect((await app.api.get(`${app.path}/builds/${appBuildId}`)).body).toMatchObject({
      appBuildArtifactId,
      platform: 'web',
      numberAsString: '1',
      minAndroidAppVersionCode: '10',
      maxAndroidAppVersionCode: '20',
      eqAndroidAppVersionCode: '15',
      minIosAppVersionCode: '1.0.5',
      maxIosAppVersionCode: '2',
      eqIosAppVersionCode: '1.1',
      gitRef: 'main',
      customProperties: { color: 'green', note: 'a=b' },
    });
    expect((await app.api.get(`${app.path}/deployments`)).body).toMatchObject([
      { appBuildId, appChannelId: channelId, rolloutPercentage: 0.35 },
    ]);
  });

  it('fails for an unknown app or channel, and publishes nothing', async () => {
    await writeWww();
    const [unknownApp, unknownChannel] = await Promise.all([
      cli.run('apps:liveupdates:upload', '--app-id', uuid(), '--yes', '--path', 'www'),
      cli.run(...upload('--path', 'www', '--channel', 'unknown')),
    ]);
    expect(unknownApp).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('App not found.') });
    expect(unknownChannel).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Channel not found.'),
    });
    expect((await app.api.get(`${app.path}/builds`)).body).toEqual([]);
  });

  it('to a protected channel fails unless it is signed', async () => {
    await writeWww();
    await cli.write('key.pem', privatePem);
    await createChannel(app, { name: 'production', protected: true });
    const toProduction = upload('--path', 'www', '--channel', 'production');
    const [unsigned, signed] = await Promise.all([
      cli.run(...toProduction),
      cli.json<Printed>(...toProduction, '--private-key', 'key.pem'),
    ]);
    expect(unsigned).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('protected') });
    const device = new AndroidDevice({ appId: app.id, channelName: 'production', publicKey: publicPem });
    expect(await device.sync()).toMatchObject({ bundleId: signed.appBuildArtifactId });
    expect((await app.api.get(`${app.path}/deployments`)).body).toHaveLength(1);
  });
});

describe('a registered bundle', () => {
  /** A zip that is kept elsewhere. */
  async function zipElsewhere(): Promise<{ url: string; zip: Buffer }> {
    const elsewhere = await createApp();
    const { id: bundleId } = await publishZip(elsewhere, { 'index.html': 'elsewhere' });
    const path = `${elsewhere.path}/bundles/${bundleId}/download`;
    const { body } = await app.api.request('get', path).responseType('blob');
    return { url: `${app.api.origin}${path}`, zip: body as Buffer };
  }

  it('is downloaded from its own address', async () => {
    const { url } = await zipElsewhere();
    const printed = await cli.succeed(...register('--url', url));
    const [, bundleId] = /Bundle Artifact ID: (\S+)/.exec(printed) ?? [];
    const [, deploymentId] = /Deployment URL: \S+\/deployments\/(\S+)/.exec(printed) ?? [];
    const device = new AndroidDevice({ appId: app.id });
    expect(JSON.parse((await device.check()).body.toString())).toEqual({
      artifactType: 'zip',
      bundleId,
      channelName: 'default',
      url,
    });
    await device.sync();
    expect(device.files).toEqual(new Map([['index.html', Buffer.from('elsewhere')]]));
    expect((await app.api.get(`${app.path}/deployments`)).body).toMatchObject([{ id: deploymentId }]);
  });

  it('is announced with checksum and signature when the tool has the zip', async () => {
    const { url, zip } = await zipElsewhere();
    await cli.write('bundle.zip', zip);
    await cli.write('key.pem', privatePem);
    const withChecksum = register('--url', url, '--path', 'bundle.zip');
    await createChannel(app, { name: 'signed' });
    const [plain, signed] = await Promise.all([
      cli.json<Printed>(...withChecksum),
      cli.json<Printed>(...withChecksum, '--private-key', 'key.pem', '--channel', 'signed'),
    ]);
    const device = new IosDevice({ appId: app.id });
    expect(JSON.parse((await device.check()).body.toString())).toMatchObject({
      bundleId: plain.appBuildArtifactId,
      checksum: sha256(zip),
    });
    expect(await device.sync()).toMatchObject({ bundleId: plain.appBuildArtifactId });
    const careful = new IosDevice({ appId: app.id, channelName: 'signed', publicKey: publicPem });
    expect(await careful.sync()).toMatchObject({ bundleId: signed.appBuildArtifactId });
  });

  it('needs an address', async () => {
    expect(await cli.run(...register('--url', 'not an address'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('url'),
    });
    expect((await app.api.get(`${app.path}/builds`)).body).toEqual([]);
  });
});
