import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { publishZip } from '../../builders/publication.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { IosDevice } from '../../support/devices/ios.js';
import { expectError } from '../../support/http/expect-error.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { zipOf } from '../../support/live-updates/archives.js';
import {
  asFiles,
  COPIED,
  EXCHANGED,
  FIRST,
  publishSigned,
  trySigned,
} from '../../support/live-updates/signed-manifests.js';
import { MANIFEST, manifestOf, postFile, publish } from '../../support/live-updates/uploads.js';

/** A file has taken over the content of another. */
const WRONG = { ...FIRST, 'i18n/de.json': '{}' };
/** The same, for each device a file with content that it does not know. */
const RIGHT = { ...FIRST, 'i18n/de.json': '{}\n' };

let app: TestApp;
beforeEach(async () => {
  app = await createApp();
});

it('refuses a signed bundle that devices would build wrongly from what all of them run', async () => {
  await publishSigned(app, FIRST);
  const { response } = await trySigned(app, WRONG);
  const { message } = expectError(response, 400, 'unsafe_reuse');
  expect(message).toBe(
    'i18n/de.json would keep the content of build 1 on devices that run it. Change the file, a line break is enough, or publish a zip.',
  );
  expect((await publishSigned(app, RIGHT)).deploymentId).toEqual(expect.any(String));
  await publishZip(app, WRONG);
});

it('warns when other devices would, and offers it to all but those', async () => {
  await createChannel(app, { name: 'beta' });
  await publishSigned(app, FIRST);
  const running = new AndroidDevice({ appId: app.id });
  await running.sync();
  const { bundle, response } = await trySigned(app, WRONG, { channelName: 'beta' });
  expect(response.status).toBe(200);
  expect((response.body as { warnings: object[] }).warnings).toEqual([
    {
      code: 'unsafe_reuse',
      message:
        'Devices that run build 1 are not offered this bundle: i18n/de.json would keep its content on them. Change the file, a line break is enough, or publish a zip.',
    },
  ]);
  const query = (bundleId: string | null) =>
    `${app.path}/bundles/latest?platform=0&channelName=beta&pluginVersion=8.4.3&appVersionCode=1&bundleId=${bundleId ?? ''}`;
  const refused = await app.api.request('get', query(running.bundleId));
  expectError(refused, 404, 'no_update');
  expect(refused.text).toContain('would reuse files');
  const fresh = new AndroidDevice({ appId: app.id, channelName: 'beta' });
  expect(await fresh.sync()).toMatchObject({ bundleId: bundle.id });
  expect(fresh.files).toEqual(asFiles(WRONG));
  // The way back gives no file the content of another.
  const back = new AndroidDevice({ appId: app.id, builtIn: Object.fromEntries(asFiles(WRONG)) });
  back.bundleId = bundle.id;
  expect((await back.check()).status).toBe(200);
});

it('explains that a device keeps what it runs', async () => {
  await createChannel(app, { name: 'beta' });
  const { id } = await publishSigned(app, FIRST);
  await trySigned(app, WRONG, { channelName: 'beta' });
  const { body } = await app.api.get(
    `${app.path}/decision?platform=0&channelName=beta&pluginVersion=8.4.3&appVersionCode=1&bundleId=${id}`,
  );
  expect(body).toMatchObject({ reason: 'unsafe-reuse' });
  expect(JSON.stringify(body)).toContain('change-files');
});

it('offers nothing older to a device that keeps what it runs', async () => {
  const older = await publishSigned(app, { 'index.html': 'older' });
  await createChannel(app, { name: 'beta' });
  const { id } = await publishSigned(app, FIRST, { channelName: 'beta' });
  await trySigned(app, WRONG);
  const response = await app.api.request(
    'get',
    `${app.path}/bundles/latest?platform=1&pluginVersion=8.4.3&bundleId=${id}`,
  );
  expectError(response, 404, 'no_update');
  expect(response.text).not.toContain(older.id);
});

it.each([
  ['Android', AndroidDevice],
  ['iOS', IosDevice],
] as const)(
  'on %s, files that cannot be copied matter to plugins before 7.2.2 only',
  async (_name, PlatformDevice) => {
    await publishSigned(app, FIRST);
    const [old, recent] = ['7.0.0', '8.4.3'].map(
      (pluginVersion) => new PlatformDevice({ appId: app.id, pluginVersion }),
    );
    await old!.sync();
    await recent!.sync();
    const { response } = await trySigned(app, COPIED);
    expect(response.status).toBe(200);
    expect((response.body as { warnings: { message: string }[] }).warnings[0]?.message).toContain(
      'with a plugin before 7.2.2',
    );
    await recent!.sync();
    expect(recent!.files).toEqual(asFiles(COPIED));
    expect(await old!.sync()).toMatchObject({ bundleId: null });
    expect(old!.files).toEqual(asFiles(FIRST));
  },
);

it('knows the manifest of a zip, also after the zip was deleted', async () => {
  const zip = await publishZip(app, { ...FIRST, [MANIFEST]: manifestOf(FIRST) });
  const device = new AndroidDevice({ appId: app.id });
  await device.sync();
  expect((await app.api.request('delete', `${app.path}/bundles/${zip.id}`)).status).toBe(204);
  const { response } = await trySigned(app, WRONG);
  expect(response.status).toBe(200);
  expect(await device.sync()).toMatchObject({ bundleId: null });
  expect(device.files).toEqual(asFiles(FIRST));
});

it('refuses a zip whose manifest lists other files than it has', async () => {
  const bundle = await createBundle(app, { artifactType: 'zip' });
  const bytes = await zipOf({ ...FIRST, 'i18n/de.json': 'other', [MANIFEST]: manifestOf(FIRST) });
  const file = expectCreated<{ id: string }>(await postFile(bundle, bytes, { mimeType: 'application/zip' }));
  const { message } = expectError(await publish(bundle, { appBundleFileId: file.id }), 400, 'invalid_zip');
  expect(message).toBe(`The zip is not valid: i18n/de.json is not the file that ${MANIFEST} lists.`);
});

it('publishes bundles that exclude each other one after the other', async () => {
  await createChannel(app, { name: 'beta' });
  const [one, other] = await Promise.all([
    trySigned(app, FIRST),
    trySigned(app, EXCHANGED, { channelName: 'beta' }),
  ]);
  expect([one.response.status, other.response.status]).toEqual([200, 200]);
  const warned = [one, other].map(
    ({ response }) => (response.body as { warnings: object[] }).warnings.length,
  );
  expect(warned.sort()).toEqual([0, 1]);
  for (const [from, channelName] of [
    [one.bundle.id, 'beta'],
    [other.bundle.id, ''],
  ]) {
    const query = `platform=0&pluginVersion=8.4.3&channelName=${channelName}&bundleId=${from}`;
    expectError(await app.api.request('get', `${app.path}/bundles/latest?${query}`), 404);
  }
});
