import { decode } from 'fast-png';
import { build as plist } from 'plist';
import { createApp, type TestApp } from '../../builders/app.js';
import { createRunner } from '../../builders/runner.js';
import { createBuildShare } from '../../builders/build-share.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { expectError } from '../../support/http/expect-error.js';
import { zipOfEntries } from '../../support/native-builds/android/zip-of-entries.js';
import { cgbiImage } from '../../support/native-builds/cgbi-image.js';
import { importFile } from '../../support/native-builds/imports.js';
import { makeIpa } from '../../support/native-builds/ipa-writer.js';
import { finishJob, startBuild, takeJob, uploadArtifact } from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';

const anonymous = new Api(testEnvironment().origin, null);
let app: TestApp;
beforeEach(async () => {
  app = await createApp();
});

const info = plist({
  CFBundleIdentifier: 'com.example.shop',
  CFBundleShortVersionString: '2.1',
  CFBundleVersion: '7',
  CFBundleDisplayName: 'Shop',
  CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: ['AppIcon60x60'] } },
});
const icon = cgbiImage({ width: 120, height: 120, pixelAt: () => [250, 100, 0, 255] });
const files = (folder: string): Record<string, Buffer> => ({
  [`${folder}Info.plist`]: Buffer.from(info),
  [`${folder}AppIcon60x60@2x.png`]: icon,
});

/** The first pixel of an image at an address, and its headers. */
async function imageAt(
  path: string,
  api: Api,
): Promise<{ pixel: number[]; headers: Record<string, unknown> }> {
  const response = await api.request('get', path).buffer(true).responseType('blob');
  expect(response.status).toBe(200);
  const { width, height, data } = decode(response.body as Buffer, { checkCrc: true });
  expect([width, height]).toEqual([120, 120]);
  return { pixel: [...data.subarray(0, 4)], headers: response.headers };
}

describe('the icon of an ipa', () => {
  it('is an ordinary PNG, in the API and on shares', async () => {
    const ipa = await makeIpa({
      packageName: 'com.example.shop',
      profile: 'ad-hoc',
      entries: files('Payload/App.app/'),
    });
    const imported = await importFile(app, ipa, {
      platform: 'ios',
      artifact: { type: 'ipa', fileName: 'App.ipa' },
    });
    const { body } = await app.api.get(`${app.path}/builds/${imported.id}/artifacts`);
    const [artifact] = body as { iconUrl: string; signer: object }[];
    expect(artifact).toMatchObject({ label: 'Shop', signer: { profileType: 'ad-hoc', deviceCount: 1 } });
    const own = await imageAt(artifact?.iconUrl ?? '', app.api);
    expect(own.pixel).toEqual([250, 100, 0, 255]);
    expect(own.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    const share = await createBuildShare(app, imported.id);
    const shared = await imageAt(`/v1/app-build-shares/${share.id}/icon`, anonymous);
    expect(shared.pixel).toEqual(own.pixel);
  });

  it('is none when it cannot be converted, and the app is taken', async () => {
    const entries = files('Payload/App.app/');
    entries['Payload/App.app/AppIcon60x60@2x.png'] = icon.subarray(0, -30);
    const ipa = await makeIpa({ packageName: 'com.example.shop', entries });
    const { id } = await importFile(app, ipa, {
      platform: 'ios',
      artifact: { type: 'ipa', fileName: 'App.ipa' },
    });
    const { body } = await app.api.get(`${app.path}/builds/${id}/artifacts`);
    expect(body).toMatchObject([{ label: 'Shop', iconUrl: null }]);
  });
});

describe('an app for the simulator', () => {
  const upload = async (bytes: Buffer) => {
    await createRunner(app.tenant, {}, { platforms: ['ios'], stacks: ['macos-tahoe'] });
    const build = await startBuild(app, {
      platform: 'ios',
      type: 'simulator',
      appBuildSourceId: await uploadSource(app),
    });
    const lease = await takeJob(build.jobId);
    const { id, completed } = await uploadArtifact(lease, bytes, { type: 'app', fileName: 'App.app.zip' });
    return { build, lease, id, completed };
  };

  it('is read, and gives its build name, version and icon', async () => {
    const { build, lease, id, completed } = await upload(await zipOfEntries(files('Shop.app/')));
    expect([completed.status, completed.body]).toEqual([200, {}]);
    expect((await finishJob(lease)).status).toBe(200);
    const { body } = await app.api.get(`${app.path}/builds/${build.id}?relations=appBuildArtifacts`);
    const iconUrl = `${app.path}/builds/${build.id}/artifacts/${id}/icon`;
    expect(body).toMatchObject({
      packageName: 'com.example.shop',
      packageVersion: '2.1',
      displayName: 'Shop',
      appBuildArtifacts: [
        { type: 'app', versionCode: '7', applePlatform: null, debuggable: true, signer: null, iconUrl },
      ],
    });
    expect((await imageAt(iconUrl, app.api)).pixel).toEqual([250, 100, 0, 255]);
    // It is for computers of developers: the page of a share offers nothing to install.
    const share = await createBuildShare(app, build.id);
    const { html } = await new Browser().open(`/app-build-shares/${share.id}`);
    expect(html).toContain('simulator');
    expect(html).not.toMatch(/itms-services|Download/);
  });

  it('is refused when it is none', async () => {
    const { completed } = await upload(await makeIpa());
    expectError(completed, 400, 'invalid_artifact');
    expect(completed.body).toMatchObject({ message: 'The file is not a valid app: it is an ipa.' });
  });
});
