import { createApp, type TestApp } from '../../builders/app.js';
import { createNativeBuild } from '../../builders/build.js';
import { createMember } from '../../builders/identities.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { makeAab } from '../../support/native-builds/aab-writer.js';
import { pngIcon } from '../../support/native-builds/android/app-description.js';
import { testSigner } from '../../support/native-builds/android/test-signer.js';
import { makeApk } from '../../support/native-builds/apk-writer.js';
import { makeIpa } from '../../support/native-builds/ipa-writer.js';
import {
  finishJob,
  startBuild,
  takeJob,
  type TestBuild,
  uploadArtifact,
} from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';
import type { TestLease } from '../../support/jobs/leases.js';

let app: TestApp;
let source: string;

beforeAll(async () => {
  app = await createApp();
  source = await uploadSource(app, { 'package.json': '{}' });
});

/** Starts a build for Android and takes its job. */
async function begin(): Promise<TestBuild & { lease: TestLease; path: string }> {
  const build = await startBuild(app, { platform: 'android', appBuildSourceId: source });
  return { ...build, lease: await takeJob(build.jobId), path: `${app.path}/builds/${build.id}` };
}

const noted = { packageName: 'com.other', packageVersion: '0.9', displayName: 'Other' };

describe('the artifacts of a build for Android', () => {
  it('show what the API has read of them, which counts more than what the runner says', async () => {
    const { lease, path, jobId } = await begin();
    const icon = pngIcon(48, [0, 99, 0]);
    const apk = await makeApk({
      packageName: 'com.acme.shop',
      versionName: '2.1',
      versionCode: 7,
      icon,
      signed: 'v3',
    });
    const { id, completed } = await uploadArtifact(lease, apk, { type: 'apk' });
    expect([completed.status, completed.body]).toEqual([200, {}]);
    expectError(await app.api.get(`${path}/artifacts/${id}/icon`), 404, 'build_artifact_not_found');
    expect((await lease.api.patch('/v1/runner/job/build', noted)).status).toBe(200);
    expect((await finishJob(lease)).status).toBe(200);
    const { body: build } = await app.api.get(`${path}?relations=appBuildArtifacts`);
    const artifact = {
      id,
      type: 'apk',
      status: 'ready',
      formFactor: null,
      packageName: 'com.acme.shop',
      versionName: '2.1',
      versionCode: '7',
      minSdkVersion: 23,
      targetSdkVersion: 35,
      minOsVersion: null,
      applePlatform: null,
      usesNonExemptEncryption: null,
      label: 'Example',
      debuggable: false,
      signer: {
        scheme: 'v3',
        subject: 'CN=Upload key, O=Example',
        sha256: testSigner().x509.fingerprint256,
        expiresAt: '2051-01-01T00:00:00.000Z',
        teamId: null,
        profileType: null,
        profileBundleId: null,
        deviceCount: null,
      },
      iconUrl: `${path}/artifacts/${id}/icon`,
      downloadUrl: null,
    };
    expect(build).toMatchObject({
      packageName: 'com.acme.shop',
      packageVersion: '2.1',
      displayName: 'Example',
      appBuildArtifactId: id,
      appBuildArtifacts: [artifact],
    });
    expect((await app.api.get(`${path}/artifacts`)).body).toMatchObject([artifact]);
    const { body: logs } = await app.api.get(`/v1/jobs/${jobId}/logs`);
    expect(logs).toEqual([
      expect.objectContaining({
        payload:
          'app.apk has the package name com.acme.shop, and the runner reported com.other; the version 2.1, and the runner reported 0.9.',
      }),
    ]);
    const shown = await app.api.request('get', artifact.iconUrl).buffer(true).responseType('blob');
    expect([shown.status, shown.headers]).toMatchObject([
      200,
      {
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=3600',
      },
    ]);
    expect((shown.body as Buffer).equals(icon)).toBe(true);
    const { body: single } = await app.api.get(`${path}/artifacts/${id}`);
    const { downloadUrl } = single as { downloadUrl: string };
    expect(single).toEqual({ ...artifact, ...(single as object), downloadUrl: expect.any(String) });
    const url = new URL(downloadUrl);
    const anonymous = new Api(app.api.origin, null);
    const bytes = await anonymous.get(`${url.pathname}${url.search}`);
    expect(bytes.status).toBe(200);
  });

  it('are led by the aab, and a zip beside it is no bundle', async () => {
    const { id, lease, path } = await begin();
    const zip = await uploadArtifact(lease, await zipOf({ 'index.html': 'not of the web' }), { type: 'zip' });
    expectError(await finishJob(lease), 409, 'artifact_missing');
    const apk = await uploadArtifact(lease, await makeApk({ versionName: '1.0', icon: null }), {
      type: 'apk',
    });
    const aab = await uploadArtifact(lease, await makeAab({ versionName: '2.0', signed: true }), {
      type: 'aab',
    });
    expect((await finishJob(lease)).status).toBe(200);
    const { body } = await app.api.get(`${path}?relations=appBuildArtifacts`);
    expect(body).toMatchObject({
      appBuildArtifactId: aab.id,
      packageVersion: '2.0',
      appBuildArtifacts: [
        { id: zip.id, packageName: null, debuggable: null, signer: null, iconUrl: null },
        { id: apk.id, signer: null, iconUrl: null },
        { id: aab.id, signer: { scheme: 'v1' } },
      ],
    });
    expectError(await app.api.get(`${path}/artifacts/${zip.id}/icon`), 404, 'icon_not_found');
    expectError(await app.api.get(`${path}/artifacts/${apk.id}/icon`), 404, 'icon_not_found');
    expectError(await app.api.get(`${app.path}/bundles/${zip.id}`), 404, 'bundle_not_found');
    const deployment = { appBuildId: id, appChannelId: app.defaultChannelId };
    expectInvalid(await app.api.post(`${app.path}/deployments`, deployment), 'appBuildId');
  });

  it.each([
    ['apk', 'an aab', () => makeAab()],
    ['aab', 'an apk', () => makeApk()],
    ['apk', 'an ipa', () => makeIpa()],
    ['aab', 'a zip of a web app', () => zipOf({ 'www/index.html': '' })],
    ['apk', 'a text', () => Promise.resolve(Buffer.from('404: Not Found\n'))],
  ])('refuse as %s what is %s', async (type, kind, make) => {
    const { lease, path } = await begin();
    const { id, completed } = await uploadArtifact(lease, await make(), { type });
    expectError(completed, 400, 'invalid_artifact');
    expect(completed.body).toMatchObject({ message: `The file is not a valid ${type}: it is ${kind}.` });
    expectError(await finishJob(lease), 409, 'artifact_missing');
    expect((await app.api.get(`${path}/artifacts/${id}`)).body).toMatchObject({
      status: 'pending',
      packageName: null,
    });
  });

  it('can be uploaded again until the job has ended', async () => {
    const { lease, path } = await begin();
    const apk = await makeApk();
    const first = await uploadArtifact(lease, apk, { type: 'apk' });
    const second = await uploadArtifact(lease, apk, { type: 'apk' });
    expect([second.id, second.completed.status]).toEqual([first.id, 200]);
    expect((await finishJob(lease)).status).toBe(200);
    expect((await app.api.get(`${path}/artifacts/${first.id}`)).body).toMatchObject({
      status: 'ready',
      label: 'Example',
    });
  });

  it('are found only in their build and by members who may read builds', async () => {
    const { lease, path } = await begin();
    const { id } = await uploadArtifact(lease, await makeApk(), { type: 'apk' });
    await finishJob(lease);
    const other = await createNativeBuild(app, 'android', 900);
    const elsewhere = await createApp();
    for (const wrong of [`${app.path}/builds/${other}`, path.replace(app.id, elsewhere.id)]) {
      for (const suffix of ['', '/icon']) {
        const response = await elsewhere.api.get(`${wrong}/artifacts/${id}${suffix}`);
        expect(response.status).toBe(404);
      }
      expect((await app.api.get(`${wrong}/artifacts/${id}/icon`)).status).toBe(404);
    }
    const stranger = await createMember(elsewhere.tenant, 'viewer');
    expect((await stranger.api.get(`${path}/artifacts/${id}/icon`)).status).toBe(404);
  });
});
