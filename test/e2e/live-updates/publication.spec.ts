import { randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { checkForUpdate } from '../../builders/device.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { zipOf } from '../../support/live-updates/archives.js';
import {
  announce,
  beginUpload,
  completeUpload,
  deploymentsOf,
  download,
  MANIFEST,
  manifestOf,
  postFile,
  publish,
  putPart,
  SIGNATURE,
  uploadFiles,
} from '../../support/live-updates/uploads.js';
import { sha256 } from '../../support/sha256.js';

let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  tenant = await createTenant();
});
beforeEach(async () => {
  app = await createApp(tenant);
});

const files = { 'index.html': '<html>', 'assets/app.js': 'app', 'assets/empty.txt': '' };

const create = (fields: object = {}): Promise<TestBundle> => createBundle(app, fields);
const path = (rest: string): string => `${app.path}/${rest}`;

/** @returns the bundle, the id of its file, and the bytes of that */
async function createZip(index: Buffer | string, fields: object = {}): Promise<[TestBundle, string, Buffer]> {
  const bundle = await create({ artifactType: 'zip', ...fields });
  const content = await zipOf({ 'index.html': index });
  const response = await postFile(bundle, content, {});
  expect(response.status).toBe(201);
  return [bundle, (response.body as { id: string }).id, content];
}

const countOf = (responses: readonly Response[], status: number): number =>
  responses.filter((response) => response.status === status).length;

const deploymentIds = (responses: readonly Response[]): Set<string | null> =>
  new Set(responses.map(({ body }) => (body as { appDeploymentId: string | null }).appDeploymentId));

async function expectUnpublished(bundle: TestBundle, href: string | null = MANIFEST): Promise<void> {
  expect(await deploymentsOf(bundle)).toEqual([]);
  expect((await download(bundle, href)).status).toBe(404);
  const artifacts = await bundle.api.get(path(`builds/${bundle.buildId}/artifacts`));
  expect(artifacts.body).toMatchObject([{ id: bundle.id, status: 'pending' }]);
}

describe('publishing', () => {
  it('makes a zip available and deploys it to the default channel', async () => {
    const [bundle, fileId, content] = await createZip(randomBytes(10_000));
    expect((await download(bundle, null)).status).toBe(404);
    const response = await publish(bundle, { appBundleFileId: fileId });
    expect(response.status).toBe(200);
    const [deployment] = await deploymentsOf(bundle);
    expect(response.body).toMatchObject({
      id: bundle.id,
      appBuildId: bundle.buildId,
      appDeploymentId: deployment?.id,
      artifactStatus: 'ready',
    });
    expect(deployment?.appChannelId).toBe(app.defaultChannelId);
    const downloaded = await download(bundle, null);
    expect(downloaded.status).toBe(200);
    expect((downloaded.body as Buffer).equals(content)).toBe(true);
    expect(downloaded.headers['x-checksum']).toBe(sha256(content));
  });

  it('makes every file of a manifest available', async () => {
    const bundle = await create();
    await uploadFiles(bundle, files);
    for (const href of [...Object.keys(files), MANIFEST]) {
      expect((await download(bundle, href)).status).toBe(404);
    }
    expect((await publish(bundle)).status).toBe(200);
    for (const [href, content] of Object.entries({ ...files, [MANIFEST]: manifestOf(files) })) {
      const response = await download(bundle, href);
      expect([response.status, (response.body as Buffer).toString()]).toEqual([200, content]);
      expect(response.headers['x-checksum']).toBe(sha256(content));
    }
  });

  it('takes files that the manifest does not list', async () => {
    const bundle = await create();
    await uploadFiles(bundle, { ...files, '.DS_Store': 'x' }, manifestOf(files));
    expect((await publish(bundle)).status).toBe(200);
  });

  it('takes checksums in upper case', async () => {
    const bundle = await create();
    const manifest = manifestOf(files).replaceAll(/[0-9a-f]{64}/g, (checksum) => checksum.toUpperCase());
    const checksum = sha256(manifest).toUpperCase();
    await uploadFiles(bundle, files, manifest);
    expect((await postFile(bundle, manifest, { href: MANIFEST, checksum })).status).toBe(201);
    expect((await publish(bundle)).status).toBe(200);
    const { body, headers } = await download(bundle, MANIFEST);
    expect((body as Buffer).toString()).toBe(manifest);
    expect(headers['x-checksum']).toBe(sha256(manifest));
  });

  it('goes to the named channel with the rollout', async () => {
    const channel = await createChannel(app);
    const bundle = await create({ channelName: channel.name, rolloutPercentage: 0.25 });
    await uploadFiles(bundle, files);
    await publish(bundle);
    expect(await deploymentsOf(bundle)).toMatchObject([
      { appChannelId: channel.id, rolloutPercentage: 0.25 },
    ]);
  });

  it('makes one deployment when it is repeated', async () => {
    const bundle = await create();
    await uploadFiles(bundle, files);
    const first = await publish(bundle);
    const second = await publish(bundle);
    expect(second.status).toBe(200);
    // Warnings come with the publication only.
    expect(second.body).toEqual({ ...(first.body as object), warnings: [] });
    expect(await deploymentsOf(bundle)).toHaveLength(1);
  });

  it.each([2, 10])('makes one deployment when it is asked for %d times at once', async (times) => {
    for (const [bundle, fields] of [
      await createZip('zip').then(([zip, fileId]) => [zip, { appBundleFileId: fileId }] as const),
      [await create(), {}] as const,
    ]) {
      if (!('appBundleFileId' in fields)) await uploadFiles(bundle, files);
      const responses = await Promise.all(Array.from({ length: times }, () => publish(bundle, fields)));
      expect(countOf(responses, 200)).toBe(times);
      const deployments = await deploymentsOf(bundle);
      expect(deployments).toHaveLength(1);
      expect(deploymentIds(responses)).toEqual(new Set([deployments[0]?.id]));
    }
  });

  it('makes two deployments for two bundles at once', async () => {
    const bundles = [await create(), await create()];
    await Promise.all(bundles.map((bundle) => uploadFiles(bundle, files)));
    const responses = await Promise.all(bundles.map((bundle) => publish(bundle)));
    expect(countOf(responses, 200)).toBe(2);
    const deployments = await tenant.owner.api.get(path('deployments'));
    expect(deployments.body).toHaveLength(2);
    expect(deploymentIds(responses).size).toBe(2);
  });

  it('deploys nothing when the app has no default channel', async () => {
    const cleared = await tenant.owner.api.patch(app.path, { appChannelId: null });
    expect(cleared.status).toBe(200);
    const bundle = await create();
    await uploadFiles(bundle, files);
    const response = await publish(bundle);
    expect(response.body).toMatchObject({ artifactStatus: 'ready', appDeploymentId: null });
    expect(await deploymentsOf(bundle)).toEqual([]);
    expect((await download(bundle, MANIFEST)).status).toBe(200);
  });

  it('fails when the channel was deleted meanwhile', async () => {
    const channel = await createChannel(app);
    const bundle = await create({ channelName: channel.name });
    await uploadFiles(bundle, files);
    expect((await tenant.owner.api.delete(path(`channels/${channel.id}`))).status).toBeLessThan(300);
    const response = await publish(bundle);
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ message: 'Channel not found.' });
    await expectUnpublished(bundle);
  });

  it('is all or nothing when the channel is deleted at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const channel = await createChannel(app);
      const bundle = await create({ channelName: channel.name });
      await uploadFiles(bundle, files);
      const [published] = await Promise.all([
        publish(bundle),
        tenant.owner.api.delete(path(`channels/${channel.id}`)),
      ]);
      expect([200, 404]).toContain(published.status);
      expect(await deploymentsOf(bundle)).toEqual([]);
      const status = (await download(bundle, MANIFEST)).status;
      expect(status).toBe(published.status);
    }
  });

  it('of a pending bundle changes nothing else', async () => {
    const bundle = await create();
    const response = await bundle.api.patch(bundle.path, {
      artifactStatus: 'pending',
      appId: app.id,
      appBundleId: bundle.id,
    });
    expect(response.body).toMatchObject({ artifactStatus: 'pending', appDeploymentId: null });
  });

  it('is not found for a bundle of another organization, or that does not exist', async () => {
    const other = await createTenant();
    const bundle = await create();
    await uploadFiles(bundle, files);
    expect((await publish({ ...bundle, api: other.owner.api })).status).toBe(404);
    expect((await other.owner.api.delete(bundle.path)).status).toBe(404);
    expect((await publish({ ...bundle, path: path(`bundles/${app.id}`) })).status).toBe(404);
    expect((await publish({ ...bundle, path: path('bundles/unknown') })).status).toBe(404);
    await expectUnpublished(bundle);
  });

  it.each([
    ['artifactStatus', { artifactStatus: 'done' }],
    ['appBundleFileId', { artifactStatus: 'ready', appBundleFileId: 'unknown' }],
    ['rolloutPercentage', { rolloutPercentage: 1.5 }],
    ['rolloutPercentage', { rolloutPercentage: null }],
  ])('is refused for a wrong %s', async (field, fields) => {
    const bundle = await create();
    const response = await bundle.api.patch(bundle.path, fields);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });
});

describe('an incomplete manifest bundle', () => {
  const item = (href: string, content: string, fields: object = {}) => ({
    checksum: sha256(content),
    href,
    sizeInBytes: content.length,
    ...fields,
  });

  it.each<[string, string, RegExp]>([
    ['is not JSON', '[', /is not JSON/],
    ['is empty', '', /is not JSON/],
    ['is an object', '{}', /not a JSON array/],
    ['is null', 'null', /not a JSON array/],
    ['lists a text', '["index.html"]', /entry 0/],
    ['lists null', JSON.stringify([item('index.html', '<html>'), null]), /entry 1/],
    ['has no checksum', JSON.stringify([item('index.html', '<html>', { checksum: undefined })]), /entry 0/],
    ['has no href', JSON.stringify([item('index.html', '<html>', { href: undefined })]), /entry 0/],
    ['has no size', JSON.stringify([item('index.html', '<html>', { sizeInBytes: undefined })]), /entry 0/],
    ['has a size as text', JSON.stringify([item('index.html', '<html>', { sizeInBytes: '6' })]), /entry 0/],
    ['lists nothing', '[]', /names no index.html/],
    ['lists no index.html', JSON.stringify([item('assets/app.js', 'app')]), /names no index.html/],
    [
      'names a file twice by case',
      JSON.stringify([item('index.html', '<html>'), item('Index.html', '<html>')]),
      /Index.html and index.html differ in case/,
    ],
    [
      'names a file twice by Unicode form',
      JSON.stringify([item('index.html', '<html>'), item('\u00e9', 'x'), item('e\u0301', 'x')]),
      /differ in case or in the form of their Unicode/,
    ],
    [
      'leaves out a file that was uploaded',
      JSON.stringify([item('index.html', '<html>'), item('assets/app.js', 'app')]),
      /assets\/empty.txt was uploaded, but the manifest does not name it/,
    ],
    ['leaves the bundle', JSON.stringify([item('../index.html', '<html>')]), /entry 0/],
    ['lists a file twice', JSON.stringify([item('a', 'a'), item('a', 'a')]), /a is there twice/],
    [
      'has another checksum',
      JSON.stringify([item('index.html', 'other!')]),
      /index.html has another checksum/,
    ],
    ['has another size', JSON.stringify([item('index.html', '<html>', { sizeInBytes: 7 })]), /another size/],
    [
      'lists a file that is missing',
      JSON.stringify([item('index.html', '<html>'), item('new.js', 'x')]),
      /new.js was not uploaded/,
    ],
    [
      'lists several that are missing',
      JSON.stringify([item('b', 'x'), item('index.html', '<html>')]),
      /and 2 more/,
    ],
    ['is not UTF-8', '\ud800', /is not JSON/],
  ])('is refused when the manifest %s', async (_case, manifest, message) => {
    const bundle = await create();
    await uploadFiles(bundle, files, manifest);
    const response = await publish(bundle);
    expect(response.status).toBe(400);
    expect((response.body as { message: string }).message).toMatch(message);
    await expectUnpublished(bundle);
  });

  it('is refused without a manifest, and published once it is there', async () => {
    const bundle = await create();
    await postFile(bundle, 'x', { href: 'index.html' });
    expect((await publish(bundle)).status).toBe(400);
    await expectUnpublished(bundle);
    await postFile(bundle, manifestOf({ 'index.html': 'x' }), { href: MANIFEST });
    expect((await publish(bundle)).status).toBe(200);
  });

  it.each(['index.html', MANIFEST])('is refused when %s was announced but never completed', async (href) => {
    const bundle = await create();
    await uploadFiles(bundle, files);
    const content = { ...files, [MANIFEST]: manifestOf(files) }[href]!;
    const file = await announce(bundle, content, { href });
    const upload = await beginUpload(bundle.api, file);
    const part = await putPart(bundle.api, file, upload, 1, content);
    expect((await publish(bundle)).status).toBe(400);
    await expectUnpublished(bundle);
    await completeUpload(bundle.api, file, upload, [part.body as { etag: string; partNumber: number }]);
    expect((await publish(bundle)).status).toBe(200);
  });

  it('is refused over 20 MiB of manifest', async () => {
    const bundle = await create();
    await uploadFiles(bundle, {}, `[${' '.repeat(20 * 1024 * 1024)}]`);
    const response = await publish(bundle);
    expect(response.status).toBe(400);
    expect((response.body as { message: string }).message).toMatch(/larger than/);
  });
});

describe('an incomplete zip bundle', () => {
  it('is refused without file', async () => {
    const bundle = await create({ artifactType: 'zip' });
    expect((await publish(bundle)).status).toBe(400);
    await expectUnpublished(bundle, null);
  });

  it('is refused with the file of another bundle', async () => {
    const [bundle, fileId] = await createZip('zip');
    const [, otherId] = await createZip('other');
    const response = await publish(bundle, { appBundleFileId: otherId });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'appBundleFileId' }] });
    await expectUnpublished(bundle, null);
    expect((await publish(bundle, { appBundleFileId: fileId })).status).toBe(200);
  });

  it('is refused while its upload is not complete', async () => {
    const bundle = await create({ artifactType: 'zip' });
    await announce(bundle, 'zip', {});
    expect((await publish(bundle)).status).toBe(400);
    await expectUnpublished(bundle, null);
  });
});

describe('a protected channel', () => {
  it('refuses a bundle that is signed in part, and takes one that is signed as a whole', async () => {
    const channel = await createChannel(app, { protected: true });
    const bundle = await create({ channelName: channel.name });
    await uploadFiles(bundle, files, manifestOf(files), SIGNATURE);
    await postFile(bundle, files['index.html'], { href: 'index.html' });
    const refused = await publish(bundle);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'unsigned_bundle' });
    await expectUnpublished(bundle);
    await postFile(bundle, files['index.html'], { href: 'index.html', signature: SIGNATURE });
    expect((await publish(bundle)).status).toBe(200);
    expect((await download(bundle, 'index.html')).headers['x-signature']).toBe(SIGNATURE);
  });

  it('refuses an unsigned zip, uploaded or registered', async () => {
    const channel = await createChannel(app, { protected: true });
    const [bundle] = await createZip('zip', { channelName: channel.name });
    expect((await publish(bundle)).status).toBe(400);
    await expectUnpublished(bundle, null);
    const before = await tenant.owner.api.get(path('builds'));
    const registered = await tenant.owner.api.post(path('bundles'), {
      artifactType: 'zip',
      channelName: channel.name,
      url: 'https://example.com/bundle.zip',
    });
    expect(registered.status).toBe(400);
    const after = await tenant.owner.api.get(path('builds'));
    expect(after.body).toEqual(before.body);
  });
});

describe('publishing together with other changes', () => {
  it('either includes a file that arrives at the same time or refuses it', async () => {
    for (let round = 0; round < 10; round++) {
      const bundle = await create();
      await uploadFiles(bundle, files);
      const [published, ...uploads] = await Promise.all([
        publish(bundle),
        postFile(bundle, files['index.html'], { href: 'index.html' }),
        postFile(bundle, manifestOf(files), { href: MANIFEST }),
        postFile(bundle, 'new', { href: 'new.js' }),
      ]);
      for (const { status } of uploads) expect([201, 409]).toContain(status);
      // The manifest does not name the new file, so with it the bundle is not published.
      expect(published.status).toBe(uploads[2]!.status === 201 ? 400 : 200);
      expect((await download(bundle, 'new.js')).status).toBe(404);
    }
  });

  it('never serves a file that differs from the manifest', async () => {
    for (let round = 0; round < 10; round++) {
      const bundle = await create();
      await uploadFiles(bundle, files);
      const [published, replaced] = await Promise.all([
        publish(bundle),
        postFile(bundle, 'replaced', { href: 'index.html' }),
      ]);
      // One of the two came first; the other one is refused.
      expect([published.status, replaced.status].sort()).toEqual(
        published.status === 200 ? [200, 409] : [201, 400].sort(),
      );
      const downloaded = await download(bundle, 'index.html');
      if (published.status === 200) expect((downloaded.body as Buffer).toString()).toBe('<html>');
      else expect(downloaded.status).toBe(404);
    }
  });

  it('goes with a deletion of the bundle', async () => {
    for (let round = 0; round < 5; round++) {
      const bundle = await create();
      await uploadFiles(bundle, files);
      const [published, deleted] = await Promise.all([publish(bundle), bundle.api.delete(bundle.path)]);
      expect([200, 404]).toContain(published.status);
      expect(deleted.status).toBe(204);
      expect((await download(bundle, MANIFEST)).status).toBe(404);
      expect(await deploymentsOf(bundle)).toEqual([]);
    }
  });
});

describe('deleting a bundle', () => {
  it('takes its build, files and deployments with it', async () => {
    const bundle = await create();
    await uploadFiles(bundle, files);
    await publish(bundle);
    expect((await bundle.api.delete(bundle.path)).status).toBe(204);
    expect((await bundle.api.delete(bundle.path)).status).toBe(404);
    expect((await publish(bundle)).status).toBe(404);
    expect((await download(bundle, MANIFEST)).status).toBe(404);
    expect((await bundle.api.get(path(`builds/${bundle.buildId}`))).status).toBe(404);
    expect(await deploymentsOf(bundle)).toEqual([]);
    const { databaseUrl } = testEnvironment();
    expect(await query(databaseUrl, 'SELECT 1 FROM bundle_files WHERE bundle_id = $1', [bundle.id])).toEqual(
      [],
    );
  });

  it('leaves the same files of other bundles alone', async () => {
    const [first, second] = [await create(), await create()];
    for (const bundle of [first, second]) {
      await uploadFiles(bundle, files);
      await publish(bundle);
    }
    await first.api.delete(first.path);
    expect((await download(second, 'index.html')).status).toBe(200);
  });
});

describe('registering a bundle by its address', () => {
  const register = (fields: object) =>
    tenant.owner.api.post(path('bundles'), {
      artifactType: 'zip',
      url: 'https://example.com/bundle.zip',
      ...fields,
    });

  it('publishes it at once', async () => {
    const response = await register({
      checksum: sha256('zip'),
      signature: SIGNATURE,
      rolloutPercentage: 0.5,
    });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ artifactStatus: 'ready' });
    const { appBuildId, appDeploymentId } = response.body as Record<string, string>;
    const deployments = await tenant.owner.api.get(path(`deployments?appBuildId=${appBuildId}`));
    expect(deployments.body).toMatchObject([{ id: appDeploymentId, rolloutPercentage: 0.5 }]);
  });

  it('warns if it has neither a checksum nor a signature, which some devices cannot install', async () => {
    const message = expect.stringMatching(/^The bundle has no checksum, .* 6\.7 to 6\.8 and 7\.1 to 7\.3/);
    const { body } = await register({});
    expect(body).toMatchObject({ warnings: [{ code: 'missing_checksum', message }] });
    expect((await tenant.owner.api.get(path(`bundles/${body.id}`))).body).toMatchObject({ warnings: [] });
    for (const fields of [{ checksum: sha256('zip') }, { signature: SIGNATURE }])
      expect((await register(fields)).body).toMatchObject({ warnings: [] });
    const { body: uploaded } = await tenant.owner.api.post(path('bundles'), { artifactType: 'zip' });
    expect(uploaded).toMatchObject({ warnings: [] });
  });

  it('deploys it nowhere when the app has no default channel', async () => {
    await tenant.owner.api.patch(app.path, { appChannelId: null });
    expect((await register({})).body).toMatchObject({ artifactStatus: 'ready', appDeploymentId: null });
  });

  it('takes no files and is not served here', async () => {
    const { body } = await register({});
    const bundle = {
      ...app,
      appId: app.id,
      buildId: '',
      deploymentId: null,
      path: path(`bundles/${body.id}`),
    };
    expect((await postFile(bundle, 'zip', {})).status).toBe(409);
    expect((await download(bundle, null)).status).toBe(404);
    expect((await publish(bundle)).body).toMatchObject({ appDeploymentId: body.appDeploymentId });
  });

  it.each([
    ['http://localhost:8080/b.zip', 'http://localhost:8080/b.zip'],
    ['https://cdn.example.com/a%20b.zip?v=1', 'https://cdn.example.com/a%20b.zip?v=1'],
    ['https://cdn.example.com/ä b[1].zip?v={1}', 'https://cdn.example.com/%C3%A4%20b%5B1%5D.zip?v=%7B1%7D'],
  ])('offers %s to devices as %s', async (url, offered) => {
    expect((await register({ url })).status).toBe(201);
    const { body } = await checkForUpdate(app, { platform: '1' });
    expect(body).toMatchObject({ url: offered });
  });

  it.each([
    ['url', { url: '' }],
    ['url', { url: 'example.com/bundle.zip' }],
    ['url', { url: '/bundle.zip' }],
    ['url', { url: 'ftp://example.com/bundle.zip' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['url', { url: 'file:///etc/passwd' }],
    ['url', { url: 'https://' }],
    ['url', { url: 'https://exa mple.com/' }],
    ['url', { url: 'http://example.com/bundle.zip' }],
    ['url', { url: 'https://example.com/100%' }],
    ['url', { url: 'https://user:secret@example.com/bundle.zip' }],
    ['url', { url: 'https://example.com/bundle.zip#part' }],
    ['url', { url: `https://example.com/${'ü'.repeat(400)}` }],
    ['url', { url: `https://example.com/${'a'.repeat(2000)}` }],
    ['url', { url: 1 }],
    ['url', { url: ['https://example.com'] }],
    ['artifactType', { artifactType: 'manifest' }],
    ['artifactType', { artifactType: 'ipa' }],
    ['artifactType', { artifactType: undefined }],
    ['checksum', { checksum: 'abc' }],
    ['signature', { signature: 'abc' }],
    ['rolloutPercentage', { rolloutPercentage: -0.1 }],
    ['rolloutPercentage', { rolloutPercentage: '1' }],
  ])('is refused for a wrong %s: %j', async (field, fields) => {
    const response = await register(fields);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field }] });
  });

  it('is refused for an unknown channel, without leaving a build', async () => {
    const response = await register({ channelName: 'unknown' });
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ message: 'Channel not found.' });
    expect((await tenant.owner.api.get(path('builds'))).body).toEqual([]);
  });

  it('goes with a deletion of the default channel', async () => {
    for (let round = 0; round < 5; round++) {
      const { path: appPath, defaultChannelId } = await createApp(tenant);
      const body = { artifactType: 'zip', url: 'https://example.com/bundle.zip' };
      const responses = await Promise.all([
        ...Array.from({ length: 5 }, () => tenant.owner.api.post(`${appPath}/bundles`, body)),
        tenant.owner.api.delete(`${appPath}/channels/${defaultChannelId}`),
      ]);
      for (const { status } of responses) expect([200, 201, 204, 404]).toContain(status);
    }
  });
});

describe('build numbers', () => {
  it('are sequential when 20 bundles are created at once', async () => {
    const bundles = await Promise.all(Array.from({ length: 20 }, () => create()));
    const builds = await tenant.owner.api.get(path('builds?limit=100'));
    const numbers = (builds.body as { numberAsString: string }[]).map((build) =>
      Number(build.numberAsString),
    );
    expect(numbers.sort((a, b) => a - b)).toEqual(bundles.map((_bundle, i) => i + 1));
  });

  it('are not used up by bundles that are refused', async () => {
    await create();
    expect((await tenant.owner.api.post(path('bundles'), { artifactType: 'x' })).status).toBe(400);
    await create();
    const builds = await tenant.owner.api.get(path('builds'));
    expect(builds.body).toMatchObject([{ numberAsString: '2' }, { numberAsString: '1' }]);
  });
});
