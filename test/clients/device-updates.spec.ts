import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../builders/app.js';
import { registerBundle } from '../builders/bundle.js';
import { createChannel } from '../builders/channel.js';
import { publishManifest, publishZip } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';
import { ElectronDevice } from '../support/devices/electron.js';
import { IosDevice } from '../support/devices/ios.js';
import { MANIFEST } from '../support/live-updates/uploads.js';

const FIRST = {
  'index.html': '<h1>Shop</h1>',
  'assets/app.js': 'start();',
  'assets/logo.svg': '<svg/>',
  'assets/empty.txt': '',
};
const SECOND = { ...FIRST, 'assets/app.js': 'start(2);' };

const asFiles = (files: Record<string, string>): Map<string, Buffer> =>
  new Map(Object.entries(files).map(([href, content]) => [href, Buffer.from(content)]));

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;

describe.each([
  ['Android', AndroidDevice],
  ['iOS', IosDevice],
  ['Electron', ElectronDevice],
] as const)('a device with %s', (_platform, PlatformDevice) => {
  it('runs the newest zip of the default channel', async () => {
    const app = await createApp();
    const device = new PlatformDevice({ appId: app.id });
    expect(await device.sync()).toMatchObject({ bundleId: null, downloads: [] });
    const { id: bundleId } = await publishZip(app, FIRST);
    expect(await device.sync()).toMatchObject({ bundleId, downloads: [null] });
    expect(device.files).toEqual(asFiles(FIRST));
  });

  it('is offered the bundle that it runs already, and downloads nothing', async () => {
    const app = await createApp();
    const { id: bundleId } = await publishZip(app, FIRST);
    const device = new PlatformDevice({ appId: app.id });
    await device.sync();
    expect(await device.sync()).toEqual({ bundleId, downloads: [], bytes: 0, redirectedTo: [] });
  });

  it('follows one update with the next', async () => {
    const app = await createApp();
    const device = new PlatformDevice({ appId: app.id });
    await publishZip(app, FIRST);
    await device.sync();
    const { id: bundleId } = await publishZip(app, SECOND);
    expect(await device.sync()).toMatchObject({ bundleId, downloads: [null] });
    expect(device.files).toEqual(asFiles(SECOND));
  });

  it('accepts a zip that is signed with the key of the app', async () => {
    const app = await createApp();
    const { id: bundleId } = await publishZip(app, FIRST, { privateKey });
    const device = new PlatformDevice({ appId: app.id, publicKey: publicPem });
    expect(await device.sync()).toMatchObject({ bundleId });
  });

  it('refuses an unsigned zip and one that is signed with another key', async () => {
    const app = await createApp();
    await createChannel(app, { name: 'foreign' });
    await publishZip(app, FIRST);
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await publishZip(app, FIRST, { privateKey: other.privateKey, values: { channelName: 'foreign' } });
    const settings = { appId: app.id, publicKey: publicPem };
    await expect(new PlatformDevice(settings).sync()).rejects.toThrow('Bundle does not contain a signature.');
    await expect(new PlatformDevice({ ...settings, channelName: 'foreign' }).sync()).rejects.toThrow(
      'Signature verification failed.',
    );
  });

  it('refuses a registered zip that is not the one that was registered', async () => {
    const [app, elsewhere] = await Promise.all([createApp(), createApp()]);
    const { id: bundleId } = await publishZip(elsewhere, FIRST);
    const url = `${app.api.origin}${elsewhere.path}/bundles/${bundleId}/download`;
    const { headers } = await app.api.request('get', `${elsewhere.path}/bundles/${bundleId}/download`);
    const register = async (checksum: string): Promise<void> => {
      const { status } = await app.api.post(`${app.path}/bundles`, { artifactType: 'zip', url, checksum });
      expect(status).toBe(201);
    };
    await register('0'.repeat(64));
    await expect(new PlatformDevice({ appId: app.id }).sync()).rejects.toThrow('Checksum mismatch.');
    await register(String(headers['x-checksum']).toUpperCase());
    const device = new PlatformDevice({ appId: app.id });
    await device.sync();
    expect(device.files).toEqual(asFiles(FIRST));
  });

  it('installs a registered zip without a checksum only if its version can', async () => {
    const [app, elsewhere] = await Promise.all([createApp(), createApp()]);
    const { id } = await publishZip(elsewhere, SECOND);
    const { id: first } = await publishZip(app, FIRST);
    const url = `${app.api.origin}${elsewhere.path}/bundles/${id}/download`;
    const { id: bundleId } = await registerBundle(app, { url });
    for (const pluginVersion of ['6.6.0', '6.7.0', '6.8.0', '7.0.0', '7.1.0', '7.2.2', '7.3.0', '7.4.0']) {
      const device = new PlatformDevice({ appId: app.id, pluginVersion });
      const isOffered = _platform !== 'Android' || /^(6\.6|7\.0|7\.4)/.test(pluginVersion);
      expect(await device.sync()).toMatchObject({ bundleId: isOffered ? bundleId : first });
      expect(device.files).toEqual(asFiles(isOffered ? SECOND : FIRST));
    }
  });

  it('hands custom properties to the app', async () => {
    const app = await createApp();
    const customProperties = { color: 'grün', release: '1 + 1 = 2' };
    await publishZip(app, FIRST, { values: { customProperties } });
    const device = new PlatformDevice({ appId: app.id });
    expect(JSON.parse((await device.check()).body.toString())).toMatchObject({ customProperties });
    expect(await device.sync()).toMatchObject({ downloads: [null] });
  });
});

it('a signed zip without a checksum takes a public key in some versions on Android', async () => {
  const [app, elsewhere] = await Promise.all([createApp(), createApp()]);
  const { id } = await publishZip(elsewhere, FIRST, { privateKey });
  const { path } = elsewhere;
  const { headers } = await app.api.request('get', `${path}/bundles/${id}/download`);
  const url = `${app.api.origin}${path}/bundles/${id}/download`;
  const { id: bundleId } = await registerBundle(app, { url, signature: headers['x-signature'] });
  for (const pluginVersion of ['6.7.0', '6.8.0', '7.1.0', '7.2.2', '7.3.0']) {
    const settings = { appId: app.id, pluginVersion };
    await expect(new AndroidDevice(settings).sync()).rejects.toThrow('Checksum mismatch.');
    const verifying = new AndroidDevice({ ...settings, publicKey: publicPem });
    expect(await verifying.sync()).toMatchObject({ bundleId });
  }
  for (const pluginVersion of ['6.6.0', '7.0.0', '7.4.0', '8.4.3']) {
    const device = new AndroidDevice({ appId: app.id, pluginVersion });
    expect(await device.sync()).toMatchObject({ bundleId });
  }
});

describe.each([
  ['Android', AndroidDevice],
  ['iOS', IosDevice],
] as const)('a bundle in manifest form on %s', (_platform, PlatformDevice) => {
  /** It runs a bundle of another server, because one without any gets the zip as soon as it is there. */
  const createRunning = (app: TestApp): AndroidDevice | IosDevice => {
    const device = new PlatformDevice({ appId: app.id });
    device.bundleId = randomUUID();
    return device;
  };

  it('is downloaded file by file', async () => {
    const app = await createApp();
    const { id: bundleId } = await publishManifest(app, FIRST);
    const device = createRunning(app);
    const { downloads, ...update } = await device.sync();
    expect(update.bundleId).toBe(bundleId);
    expect(downloads.toSorted()).toEqual([MANIFEST, ...Object.keys(FIRST)].toSorted());
    expect(device.files).toEqual(asFiles(FIRST));
  });

  it('is downloaded whole each time if its index.html is in a folder, as its publication warns', async () => {
    const app = await createApp();
    const device = new PlatformDevice({ appId: app.id });
    const files = { 'www/index.html': '<h1>Shop</h1>', 'www/app.js': 'start();' };
    for (const release of [files, { ...files, 'www/app.js': 'start(2);' }]) {
      const { id: bundleId } = await publishManifest(app, release);
      const update = await device.sync();
      expect(update).toMatchObject({ bundleId });
      expect(update.downloads.toSorted()).toEqual([MANIFEST, ...Object.keys(release)].toSorted());
      expect(device.files.get('app.js')?.toString()).toBe(release['www/app.js']);
    }
  });

  it('costs only the changed files the next time', async () => {
    const app = await createApp();
    const device = createRunning(app);
    await publishManifest(app, FIRST);
    const first = await device.sync();
    const { id: bundleId } = await publishManifest(app, {
      ...SECOND,
      'renamed.svg': FIRST['assets/logo.svg'],
    });
    const second = await device.sync();
    expect(second.bundleId).toBe(bundleId);
    expect(second.downloads.toSorted()).toEqual([MANIFEST, 'assets/app.js', 'renamed.svg'].toSorted());
    expect(first.downloads).toHaveLength(5);
    expect(device.files).toEqual(asFiles({ ...SECOND, 'renamed.svg': FIRST['assets/logo.svg'] }));
  });

  it('costs only its manifest when a file was removed', async () => {
    const app = await createApp();
    const device = new PlatformDevice({ appId: app.id });
    await publishManifest(app, FIRST);
    await device.sync();
    const { 'assets/logo.svg': _removed, ...rest } = FIRST;
    await publishManifest(app, rest);
    expect(await device.sync()).toMatchObject({ downloads: [MANIFEST] });
    expect(device.files).toEqual(asFiles(rest));
  });

  it('is verified file by file when the app has a public key', async () => {
    const app = await createApp();
    await createChannel(app, { name: 'unsigned' });
    const { id: bundleId } = await publishManifest(app, FIRST, { privateKey });
    await publishManifest(app, FIRST, { values: { channelName: 'unsigned' } });
    const settings = { appId: app.id, publicKey: publicPem };
    expect(await new PlatformDevice(settings).sync()).toMatchObject({ bundleId });
    await expect(new PlatformDevice({ ...settings, channelName: 'unsigned' }).sync()).rejects.toThrow(
      'Bundle does not contain a signature.',
    );
  });

  it('may have files with any name', async () => {
    const files = {
      'index.html': '1',
      'a b/c d.js': '2',
      'plus+sign.js': '3',
      'plus+and space.js': '4',
      'Grüße/früh.css': '5',
      '100%.js': '6',
      '%41.js': '7',
      "what?&=#;[]@!$'(),~*.js": '8',
      'deeply/nested/in/many/folders/x.js': '9',
      '..hidden/...js': '10',
      '日本/😀.png': '11',
    };
    const app = await createApp();
    await publishManifest(app, files);
    const device = new PlatformDevice({ appId: app.id });
    await device.sync();
    expect(device.files).toEqual(asFiles(files));
  });
});

describe('what devices get', () => {
  it('leaves out what is not known of a zip', async () => {
    const app = await createApp();
    const { id: bundleId } = await publishZip(app, FIRST);
    const { headers, body } = await new AndroidDevice({ appId: app.id }).check();
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.parse(body.toString())).toEqual({
      artifactType: 'zip',
      bundleId,
      channelName: 'default',
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      url: expect.stringMatching(
        new RegExp(`^http://[^/?]+/v1/apps/${app.id}/bundles/${bundleId}/download(/named)?$`),
      ),
    });
  });

  it('leaves out checksum and signature of a manifest', async () => {
    const app = await createApp();
    const { id: bundleId } = await publishManifest(app, FIRST, { privateKey });
    const { body } = await new IosDevice({ appId: app.id }).check();
    expect(JSON.parse(body.toString())).toEqual({
      artifactType: 'manifest',
      bundleId,
      channelName: 'default',
      url: expect.any(String),
    });
  });
});
