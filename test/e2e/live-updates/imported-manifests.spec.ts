import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createMember } from '../../builders/identities.js';
import { publishManifest, publishZip } from '../../builders/publication.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { form, send } from '../../support/http/multipart.js';
import { importManifest } from '../../support/live-updates/imported-manifests.js';
import {
  asFiles,
  EXCHANGED,
  FIRST,
  publishSigned,
  trySigned,
} from '../../support/live-updates/signed-manifests.js';
import { MANIFEST, manifestOf } from '../../support/live-updates/uploads.js';

let app: TestApp;
/** The id under which devices know a bundle of another server. */
let oldId: string;

beforeEach(async () => {
  app = await createApp();
  oldId = randomUUID();
});

/** A device that another server has given FIRST, with its manifest as it was uploaded. */
function oldDevice(bundleId = oldId): AndroidDevice {
  const builtIn = Object.fromEntries(asFiles({ ...FIRST, [MANIFEST]: manifestOf(FIRST) }));
  const device = new AndroidDevice({ appId: app.id, builtIn });
  device.bundleId = bundleId;
  return device;
}

const withhold = (withholdFromUnknownBundles: boolean) =>
  app.api.patch(app.path, { withholdFromUnknownBundles });

/** The update check of a device that runs a bundle, by the fast path and by the route. */
async function offered(bundleId: string, values = ''): Promise<number> {
  const target = (path: string): string =>
    `${app.path}/bundles/${path}?platform=0&pluginVersion=8.4.3&bundleId=${bundleId}${values}`;
  const [fast, route] = await Promise.all(
    ['latest', 'Latest'].map((path) => app.api.request('get', target(path)).unset('Authorization')),
  );
  expect([route!.status, { ...route!.body, requestId: '' }]).toEqual([
    fast!.status,
    { ...fast!.body, requestId: '' },
  ]);
  return fast!.status;
}

describe('the manifest of a bundle of another server', () => {
  it('is compared with signed bundles that are published later', async () => {
    const { status, body } = await importManifest(app, oldId.toUpperCase(), manifestOf(FIRST));
    expect([status, body]).toEqual([201, { bundleId: oldId, fileCount: 4, unsafeBundleCount: 0 }]);
    const { response } = await trySigned(app, EXCHANGED);
    expect((response.body as { warnings: object[] }).warnings).toEqual([
      {
        code: 'unsafe_reuse',
        message: `Devices that run the imported bundle ${oldId} are not offered this bundle: i18n/de.json would keep its content on them. Change the file, a line break is enough, or publish a zip.`,
      },
    ]);
    const device = oldDevice();
    expect(await device.sync()).toMatchObject({ bundleId: null });
    expect(device.files).toEqual(asFiles(FIRST));
  });

  it('is compared with those that were published before, and a later one replaces it', async () => {
    const { id } = await publishSigned(app, EXCHANGED);
    expect((await importManifest(app, oldId, manifestOf(FIRST))).body).toMatchObject({
      unsafeBundleCount: 1,
    });
    expect(await oldDevice().sync()).toMatchObject({ bundleId: null });
    const right = manifestOf({ 'index.html': '<html>', 'old.js': 'old' });
    expect((await importManifest(app, oldId, right)).body).toMatchObject({ unsafeBundleCount: 0 });
    const device = oldDevice();
    expect((await device.check()).status).toBe(200);
    expect(await new AndroidDevice({ appId: app.id }).sync()).toMatchObject({ bundleId: id });
  });

  it('would do harm otherwise: the device ends up with wrong files', async () => {
    await publishSigned(app, EXCHANGED);
    const device = oldDevice();
    await device.sync();
    expect(device.files).not.toEqual(asFiles(EXCHANGED));
  });

  it('counts in its app alone', async () => {
    const other = await createApp();
    await importManifest(other, oldId, manifestOf(FIRST));
    await importManifest(app, oldId, '[]');
    await publishSigned(app, EXCHANGED);
    expect(await offered(oldId)).toBe(200);
  });

  it('cannot replace that of a bundle of the app', async () => {
    const { id } = await publishSigned(app, FIRST);
    expectError(await importManifest(app, id, '[]'), 409, 'conflict');
    expect((await app.api.delete(`${app.path}/bundles/${id}`)).status).toBe(204);
    expectError(await importManifest(app, id, '[]'), 409, 'conflict');
  });

  it('is refused when devices could not read it', async () => {
    for (const manifest of ['{}', 'zip', '\ufeff[]', manifestOf({ 'a.js': '' })]) {
      expectError(await importManifest(app, oldId, manifest), 400, 'invalid_manifest');
    }
    expectInvalid(await importManifest(app, '1.0.0', '[]'), 'bundleId');
    const withoutFile = form([{ name: 'bundleId', content: oldId }]);
    expectInvalid(await send(app.api, 'post', `${app.path}/imported-manifests`, withoutFile), 'file');
    expectError(await importManifest(app, oldId, Buffer.alloc(20 * 1024 * 1024 + 1)), 413);
    const viewer = await createMember(app.tenant, 'viewer');
    expectError(await importManifest({ ...app, api: viewer.api }, oldId, '[]'), 403, 'not_authorized');
  });
});

describe('a device that runs a bundle which Slipway does not know', () => {
  it('is offered signed bundles, unless the app says otherwise', async () => {
    const { id } = await publishSigned(app, EXCHANGED);
    expect((await app.api.get(app.path)).body).toMatchObject({ withholdFromUnknownBundles: false });
    expect(await offered(oldId)).toBe(200);
    expect((await withhold(true)).body).toMatchObject({ withholdFromUnknownBundles: true });
    expect(await offered(oldId)).toBe(404);
    // Ids of other servers may be no UUIDs.
    expect(await offered('1.0.0')).toBe(404);
    expect(await offered(id)).toBe(200);
    expect(await offered('')).toBe(200);
    await withhold(false);
    expect(await offered(oldId)).toBe(200);
    expectInvalid(
      await app.api.patch(app.path, { withholdFromUnknownBundles: null }),
      'withholdFromUnknownBundles',
    );
  });

  it('is known by its manifest, and by that of a bundle without one', async () => {
    await withhold(true);
    await publishSigned(app, EXCHANGED);
    expect(await offered(oldId)).toBe(404);
    await importManifest(app, oldId, '[]');
    expect(await offered(oldId)).toBe(200);
    await importManifest(app, oldId, manifestOf(FIRST));
    expect(await offered(oldId)).toBe(404);
  });

  it('is known when it runs any bundle of the app', async () => {
    await withhold(true);
    await createChannel(app, { name: 'beta' });
    const zip = await publishZip(app, { 'index.html': 'zip' }, { values: { channelName: 'beta' } });
    await publishSigned(app, EXCHANGED);
    expect(await offered(zip.id)).toBe(200);
  });

  it('is offered zips and unsigned bundles, with which it reuses nothing', async () => {
    await withhold(true);
    await publishZip(app, { 'index.html': 'zip' });
    expect(await offered(oldId)).toBe(200);
    await publishManifest(app, EXCHANGED);
    expect(await offered(oldId)).toBe(200);
    const device = oldDevice();
    await device.sync();
    expect(device.files).toEqual(asFiles(EXCHANGED));
  });

  it('is not offered anything older either, and the decision says why', async () => {
    await withhold(true);
    await publishZip(app, { 'index.html': 'older' });
    await publishSigned(app, EXCHANGED);
    expect(await offered(oldId)).toBe(404);
    const { body } = await app.api.get(
      `${app.path}/decision?platform=0&pluginVersion=8.4.3&appVersionCode=1&bundleId=${oldId}`,
    );
    expect(body).toMatchObject({
      reason: 'unsafe-reuse',
      goals: [{ remedies: [{ remedy: 'import-manifest', required: 'known', actual: oldId }] }],
    });
  });
});
