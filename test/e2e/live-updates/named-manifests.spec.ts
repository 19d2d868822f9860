import { generateKeyPairSync } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { publishManifest, publishZip } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { AndroidDevice } from '../../support/devices/android.js';
import type { DeviceSettings } from '../../support/devices/device.js';
import { IosDevice } from '../../support/devices/ios.js';
import { rawGet } from '../../support/devices/raw-get.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import type { Files } from '../../support/live-updates/archives.js';
import { MANIFEST, manifestOf } from '../../support/live-updates/uploads.js';
import { sha256 } from '../../support/sha256.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const asFiles = (files: Files): Map<string, Buffer> =>
  new Map(Object.entries(files).map(([href, content]) => [href, Buffer.from(content)]));

let app: TestApp;
beforeEach(async () => {
  app = await createApp();
});

const download = (bundleId: string, path: string, headers: Record<string, string> = {}) =>
  rawGet(app.api.origin, `${app.path}/bundles/${bundleId}/${path}`, headers);

/** Two releases in which files have taken over the content of others. */
const FIRST = {
  'index.html': '<html>',
  'cordova.js': 'none',
  'polyfills.js': 'legacy()',
  'i18n/de.json': '{"a":1}',
  'i18n/fr.json': '{}',
};
const SECOND = { ...FIRST, 'polyfills.js': 'none', 'i18n/de.json': '{}' };

describe.each([
  ['Android', AndroidDevice],
  ['iOS', IosDevice],
] as const)('on %s', (_platform, PlatformDevice) => {
  it.each(['8.4.3', '7.2.2', '7.0.0'])(
    'files get what was published, with plugin %s',
    async (pluginVersion) => {
      const device = new PlatformDevice({ appId: app.id, pluginVersion });
      await publishManifest(app, FIRST);
      await device.sync();
      await publishManifest(app, SECOND);
      const { downloads } = await device.sync();
      expect(device.files).toEqual(asFiles(SECOND));
      expect(downloads.toSorted()).toEqual([MANIFEST, 'i18n/de.json', 'polyfills.js'].toSorted());
    },
  );

  it.each([
    ['the app was installed with', async (settings: DeviceSettings) => new PlatformDevice(settings)],
    [
      'is packed in a zip',
      async (settings: DeviceSettings) => {
        await publishZip(app, { ...FIRST, [MANIFEST]: manifestOf(FIRST) });
        const device = new PlatformDevice(settings);
        await device.sync();
        return device;
      },
    ],
  ])('nothing is reused by a manifest that %s', async (_where, start) => {
    const builtIn = asFiles({ ...FIRST, [MANIFEST]: manifestOf(FIRST) });
    const device = await start({
      appId: app.id,
      pluginVersion: '7.0.0',
      builtIn: Object.fromEntries(builtIn),
    });
    await publishManifest(app, SECOND);
    const { downloads } = await device.sync();
    expect(downloads).toHaveLength(Object.keys(SECOND).length + 1);
    expect(device.files).toEqual(asFiles(SECOND));
  });
});

it('offers unsigned manifests by name, and others as they were uploaded', async () => {
  const offered = async (): Promise<string> => {
    const { body } = await app.api.request('get', `${app.path}/bundles/latest?platform=0`);
    return (body as { url: string }).url;
  };
  const { id: unsigned } = await publishManifest(app, FIRST);
  expect(await offered()).toBe(`${app.api.origin}${app.path}/bundles/${unsigned}/download/named`);
  const { id: signed } = await publishManifest(app, FIRST, { privateKey });
  expect(await offered()).toBe(`${app.api.origin}${app.path}/bundles/${signed}/download`);
  const { id: zip } = await publishZip(app, FIRST);
  expect(await offered()).toBe(`${app.api.origin}${app.path}/bundles/${zip}/download`);
  for (const id of [signed, zip]) {
    expectError(
      await app.api.request('get', `${app.path}/bundles/${id}/download/named?href=${MANIFEST}`),
      404,
    );
  }
});

it('has the files of the uploaded manifest in its order, with a checksum of its own', async () => {
  const { id } = await publishManifest(app, FIRST);
  const uploaded = await download(id, `download?href=${MANIFEST}`);
  expect(uploaded.body.toString()).toBe(manifestOf(FIRST).toString());
  const named = await download(id, `download/named?href=${MANIFEST}`);
  expect(named.headers['x-checksum']).toBe(sha256(named.body));
  expect(named.headers['x-signature']).toBeUndefined();
  const items = JSON.parse(uploaded.body.toString()) as { href: string; checksum: string }[];
  expect(JSON.parse(named.body.toString())).toEqual(
    items.map((item) => ({ ...item, checksum: sha256(`${item.checksum}\n${item.href}`) })),
  );
  const file = await download(id, `download/named?href=${encodeURIComponent('i18n/de.json')}`);
  expect(file.body.toString()).toBe(FIRST['i18n/de.json']);
});

it('is compressed like the other files', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`assets/${i}.js`, `${i}`]));
  const { id } = await publishManifest(app, { ...FIRST, ...many });
  await eventually(async () => {
    const { headers } = await download(id, `download/named?href=${MANIFEST}`, { 'Accept-Encoding': 'br' });
    expect(headers['content-encoding']).toBe('br');
  });
});

it('is made on request for a bundle that was published without one', async () => {
  const { id } = await publishManifest(app, FIRST);
  const before = await download(id, `download/named?href=${MANIFEST}`);
  await query(testEnvironment().databaseUrl, 'DELETE FROM bundle_files WHERE bundle_id = $1 AND href = $2', [
    id,
    '/named-manifest',
  ]);
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => download(id, `download/named?href=${MANIFEST}`)),
  );
  for (const { status, body } of responses)
    expect([status, body.toString()]).toEqual([200, before.body.toString()]);
});
