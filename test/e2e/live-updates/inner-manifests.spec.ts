import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { publishManifest } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { IosDevice } from '../../support/devices/ios.js';
import { expectError } from '../../support/http/expect-error.js';
import type { Files } from '../../support/live-updates/archives.js';
import { asFiles, publishSigned, trySigned } from '../../support/live-updates/signed-manifests.js';
import { MANIFEST, manifestOf, publish, uploadFiles } from '../../support/live-updates/uploads.js';

/*
 * A manifest beside an index.html that is not at the root: devices take that folder as the root of the app, and compare the
 * next bundle with the manifest in it.
 */

const APP = { 'index.html': '<html>', 'a.js': '1', 'b.js': '2' };
/** At the root, with the content of two files exchanged. */
const EXCHANGED = { ...APP, 'a.js': '2', 'b.js': '1' };

/** Everything in the folder www, with a manifest of some files. */
const inFolder = (manifest: Files | null): Files => ({
  ...Object.fromEntries(Object.entries(APP).map(([href, content]) => [`www/${href}`, content])),
  ...(manifest === null ? {} : { [`www/${MANIFEST}`]: manifestOf(manifest) }),
});

let app: TestApp;
beforeEach(async () => {
  app = await createApp();
});

async function publishUnsigned(files: Files) {
  const bundle = await createBundle(app);
  await uploadFiles(bundle, files);
  return publish(bundle);
}

/** As if a bundle had been published before Slipway looked at such manifests. */
const forgetChecks = async (): Promise<void> => {
  await query(testEnvironment().databaseUrl, 'UPDATE plain_manifests SET carried = NULL WHERE app_id = $1', [
    app.id,
  ]);
  await query(
    testEnvironment().databaseUrl,
    'DELETE FROM plain_manifests WHERE app_id = $1 AND NOT offered',
    [app.id],
  );
};

it.each([
  ['lists other files', inFolder(EXCHANGED), 'www/a.js is not the file that it lists (and 1 more)'],
  ['lists what is not there', inFolder({ ...APP, 'c.js': '' }), 'www/c.js is not the file that it lists'],
  [
    'is no manifest',
    { ...inFolder(null), [`www/${MANIFEST}`]: '{}' },
    `The manifest ${MANIFEST} is not a JSON array`,
  ],
  [
    'is beside one of several',
    { ...inFolder(APP), 'app/index.html': '' },
    'it is undefined whether devices start with www/index.html or app/index.html',
  ],
])('refuses one that %s', async (_what, files, problem) => {
  for (const response of [(await trySigned(app, files)).response, await publishUnsigned(files)]) {
    const { message } = expectError(response, 400, 'invalid_manifest');
    expect(message).toBe(
      `Devices would compare the next bundle with www/${MANIFEST}, beside the index.html: ${problem}.`,
    );
  }
});

it('takes one elsewhere for a file like any other', async () => {
  await publishSigned(app, { ...APP, [`old/${MANIFEST}`]: '{}' });
  await publishSigned(app, { ...APP, 'www/index.html': '', [`www/${MANIFEST}`]: '{}' });
});

describe('with one that describes its folder', () => {
  it('compares the next signed bundle with it', async () => {
    await publishSigned(app, inFolder(APP));
    const { message } = expectError((await trySigned(app, EXCHANGED)).response, 400, 'unsafe_reuse');
    expect(message).toContain('a.js would keep the content of build 1');
    const next = { ...EXCHANGED, 'a.js': '2\n', 'b.js': '1\n' };
    const device = new AndroidDevice({ appId: app.id });
    await device.sync();
    await publishSigned(app, next);
    await device.sync();
    expect(device.files).toEqual(asFiles(next));
  });

  it('compares it also if the bundle is not signed', async () => {
    expect((await publishUnsigned(inFolder(APP))).status).toBe(200);
    expectError((await trySigned(app, EXCHANGED)).response, 400, 'unsafe_reuse');
  });

  it.each([
    ['Android', AndroidDevice],
    ['iOS', IosDevice],
  ] as const)(
    'does not matter for unsigned bundles, which are offered by name: %s',
    async (_name, Platform) => {
      expect((await publishUnsigned(inFolder(APP))).status).toBe(200);
      const device = new Platform({ appId: app.id });
      await device.sync();
      expect(device.files).toEqual(asFiles(APP));
      await publishManifest(app, EXCHANGED);
      expect((await device.sync()).downloads).toHaveLength(4);
      expect(device.files).toEqual(asFiles(EXCHANGED));
    },
  );
});

it('keeps nothing from devices whose bundle is in a folder without one: they have no manifest', async () => {
  await publishSigned(app, { ...inFolder(null), 'a.js': '2' });
  const device = new AndroidDevice({ appId: app.id });
  await device.sync();
  const next = { ...inFolder(null), 'a.js': '1' };
  await publishSigned(app, next);
  await device.sync();
  expect(device.files).toEqual(asFiles(APP));
});

describe('with one that was not looked at when its bundle was published', () => {
  it('warns with the next signed bundle, and refuses nothing', async () => {
    await publishSigned(app, inFolder(APP));
    await forgetChecks();
    const { response } = await trySigned(app, { ...APP, 'a.js': '3' });
    expect(response.status).toBe(200);
    expect((response.body as { warnings: object[] }).warnings).toContainEqual({
      code: 'inner_manifest',
      message: `Devices that run build 1 may compare signed bundles with www/${MANIFEST}, which was not verified when it was published. Publish the web build without that file, or publish a zip.`,
    });
  });

  it.each(['signed', 'unsigned'])('warns when its bundle is deployed again: %s', async (how) => {
    const { buildId } =
      how === 'signed' ? await publishSigned(app, inFolder(APP)) : await publishManifest(app, inFolder(APP));
    await forgetChecks();
    const deploy = () =>
      app.api.post(`${app.path}/deployments`, { appBuildId: buildId, appChannelId: app.defaultChannelId });
    const { status, body } = await deploy();
    expect([status, body]).toMatchObject([
      201,
      { warnings: [{ code: 'inner_manifest' }, { code: 'same_content' }] },
    ]);
  });
});

it('says nothing about bundles that were verified, nor about zips and unsigned bundles after others', async () => {
  const { buildId } = await publishManifest(app, inFolder(APP));
  const { status, body } = await app.api.post(`${app.path}/deployments`, {
    appBuildId: buildId,
    appChannelId: app.defaultChannelId,
  });
  expect([status, body]).toMatchObject([201, { warnings: [{ code: 'same_content' }] }]);
  await forgetChecks();
  expect((await publishUnsigned(APP)).body).toMatchObject({ warnings: [] });
});
