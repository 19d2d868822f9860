import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, type TestBundle } from '../../builders/bundle.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError } from '../../support/http/expect-error.js';
import { zipOf } from '../../support/live-updates/archives.js';
import {
  deploymentsOf,
  download,
  MANIFEST,
  manifestOf,
  postFile,
  publish,
  uploadFiles,
} from '../../support/live-updates/uploads.js';
import { sha256 } from '../../support/sha256.js';

let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  tenant = await createTenant();
  app = await createApp(tenant);
});

const create = (fields: object = {}): Promise<TestBundle> => createBundle(app, fields);

describe('a zip', () => {
  let bundle: TestBundle;

  beforeEach(async () => {
    bundle = await create({ artifactType: 'zip' });
  });

  const renamed = async (to: string): Promise<Buffer> => {
    const zip = await zipOf({ 'index.html': '<html>', 'assets/app.js': 'app' });
    return Buffer.from(zip.toString('latin1').replaceAll('assets/app.js', to), 'latin1');
  };

  it.each<[string, () => Promise<Buffer>, RegExp]>([
    ['is no zip', () => Promise.resolve(Buffer.from('<html>')), /cannot be read as a zip/],
    ['is cut off', async () => (await zipOf({ 'index.html': 'x' })).subarray(0, -1), /cannot be read/],
    ['has no index.html', () => zipOf({ 'app.js': 'x' }), /it has no index.html/],
    ['leaves its folder', () => renamed('../../app.jsx'), /"..\/..\/app.jsx" is not a path inside/],
  ])('that %s is refused, and can be replaced', async (_case, make, message) => {
    await postFile(bundle, await make(), {});
    const response = await publish(bundle);
    expectError(response, 400, 'invalid_zip');
    expect(response.body).toMatchObject({ errors: [{ field: 'zip' }] });
    expect((response.body as { message: string }).message).toMatch(message);
    expect(await deploymentsOf(bundle)).toEqual([]);
    expect((await download(bundle, null)).status).toBe(404);

    await postFile(bundle, await zipOf({ 'index.html': '<html>' }), {});
    expect((await publish(bundle)).status).toBe(200);
    expect((await download(bundle, null)).status).toBe(200);
  });

  it('names the first twenty things that are wrong', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`aa/${10 + i}`, 'x']));
    const zip = await zipOf({ ...files, 'index.html': 'x' });
    await postFile(bundle, Buffer.from(zip.toString('latin1').replaceAll('aa/', '../'), 'latin1'), {});
    const { body } = await publish(bundle);
    expect(body).toMatchObject({ message: expect.stringContaining('(and 29 more)') as string });
    expect((body as { errors: unknown[] }).errors).toHaveLength(20);
  });
});

describe('a manifest bundle', () => {
  it('of 20,000 files is published, and one of more is refused', async () => {
    const { databaseUrl } = testEnvironment();
    const publishMany = async (count: number) => {
      const bundle = await create();
      const items = Array.from({ length: count }, (_, i) => `pages/${i}/index.html`);
      const manifest = JSON.stringify(
        items.map((href) => ({ checksum: sha256('<html>'), href, sizeInBytes: 6 })),
      );
      await uploadFiles(bundle, { 'pages/0/index.html': '<html>' }, manifest);
      // PostgreSQL plans with what it knows of smaller bundles: it looks at new rows a minute later.
      await query(databaseUrl, 'ANALYZE bundle_files');
      // To upload each of them would take minutes.
      await query(
        databaseUrl,
        `INSERT INTO bundle_files (id, bundle_id, href, name, mime_type, size_in_bytes, checksum, blob_id)
         SELECT gen_random_uuid(), bundle_id, 'pages/' || number || '/index.html', name, mime_type, size_in_bytes,
                checksum, blob_id
           FROM bundle_files, generate_series(1, $2::int) AS number
          WHERE bundle_id = $1 AND href = 'pages/0/index.html'`,
        [bundle.id, count - 1],
      );
      return publish(bundle);
    };
    expect((await publishMany(20_000)).status).toBe(200);
    const refused = await publishMany(20_001);
    expectError(refused, 400, 'invalid_manifest');
    expect(refused.body).toMatchObject({
      message: expect.stringContaining('names 20001 files, and at most 20000 are allowed') as string,
    });
    const tooMany = await publishMany(100_000);
    expectError(tooMany, 400, 'invalid_manifest');
    expect(tooMany.body).toMatchObject({
      message: 'The bundle has 100001 files, and at most 20000 are allowed.',
    });
  });

  it('can be published after the file that was wrong was replaced', async () => {
    const files = { 'index.html': '<html>', 'app.js': 'app' };
    const bundle = await create();
    await uploadFiles(bundle, { ...files, 'app.js': 'wrong' }, manifestOf(files));
    const refused = await publish(bundle);
    expectError(refused, 400, 'incomplete_bundle');
    expect(refused.body).toMatchObject({
      errors: [{ field: 'manifest', message: 'app.js has another checksum than the manifest says.' }],
    });
    await postFile(bundle, 'app', { href: 'app.js' });
    expect((await publish(bundle)).status).toBe(200);
    expect((await download(bundle, MANIFEST)).status).toBe(200);
  });
});

describe('the warnings of a bundle', () => {
  interface Warned {
    readonly artifactStatus: string;
    readonly warnings: { code: string; message: string }[];
  }
  const codesOf = ({ body }: { body: unknown }): string[] =>
    (body as Warned).warnings.map(({ code }) => code);

  it('are empty when nothing is remarkable, in every response', async () => {
    const fields = { artifactType: 'zip' };
    expect(codesOf(await app.api.post(`${app.path}/bundles`, fields))).toEqual([]);
    const bundle = await create(fields);
    await postFile(bundle, await zipOf({ 'index.html': '<html>' }), {});
    const published = await publish(bundle);
    expect(codesOf(published)).toEqual([]);
    expect(codesOf(await publish(bundle))).toEqual([]);
  });

  it('come with the publication of a zip', async () => {
    const bundle = await create({ artifactType: 'zip' });
    await postFile(
      bundle,
      await zipOf({ 'www/index.html': 'x', 'www/en/index.html': 'x', 'www/aux.js': 'x' }),
      {},
    );
    const published = await publish(bundle);
    expect(published.status).toBe(200);
    expect(published.body).toMatchObject({ artifactStatus: 'ready' });
    expect(codesOf(published)).toEqual(['wrapping_folder', 'ambiguous_index', 'windows_names']);
    for (const { message } of (published.body as Warned).warnings) expect(message).toMatch(/^.+\.$/);
  });

  it('come with the publication of a manifest bundle', async () => {
    const bundle = await create();
    await uploadFiles(bundle, { 'app/index.html': 'x', 'readme?.txt': 'x' });
    expect(codesOf(await publish(bundle))).toEqual(['index_not_at_root', 'windows_names']);
  });

  it('include empty files of a manifest bundle, and whether the devices that cannot download them get a zip', async () => {
    const files = { 'index.html': 'x', 'a.js': '', 'b.js': '' };
    const messageOf = async (signed: boolean): Promise<string | undefined> => {
      const bundle = await create();
      const signature = signed ? { signature: Buffer.from('s').toString('base64') } : {};
      for (const [href, content] of Object.entries({ ...files, [MANIFEST]: manifestOf(files) }))
        await postFile(bundle, content, { href, ...signature });
      const published = await publish(bundle);
      expect(codesOf(published)).toEqual(['empty_files']);
      return (published.body as Warned).warnings[0]?.message;
    };
    const start =
      '"a.js" (and 1 more) is empty, which the Capacitor plugin on iOS cannot download in the versions 6.6.0 to 7.2.1: ';
    expect(await messageOf(false)).toBe(
      `${start}these devices get the bundle as a zip, as soon as Slipway has made it.`,
    );
    expect(await messageOf(true)).toBe(`${start}these devices do not get the bundle.`);
    const zip = await create({ artifactType: 'zip' });
    await postFile(zip, await zipOf(files), {});
    expect(codesOf(await publish(zip))).toEqual([]);
  });

  it('include that Electron reads no manifests', async () => {
    const files = { 'index.html': 'x' };
    const before = await create({ minElectronAppVersionCode: '1.0.0' });
    await uploadFiles(before, files);
    expect(codesOf(await publish(before))).toEqual(['manifest_for_electron']);
    const late = await create();
    await uploadFiles(late, files);
    expect(codesOf(await publish(late, { eqElectronAppVersionCode: '1.0.0' }))).toEqual([
      'manifest_for_electron',
    ]);
    const cleared = await create({ minElectronAppVersionCode: '1.0.0' });
    await uploadFiles(cleared, files);
    expect(codesOf(await publish(cleared, { minElectronAppVersionCode: null }))).toEqual([]);
    const zip = await create({ artifactType: 'zip', minElectronAppVersionCode: '1.0.0' });
    await postFile(zip, await zipOf(files), {});
    expect(codesOf(await publish(zip))).toEqual([]);
  });

  it.each([
    [
      'a byte order mark',
      (manifest: string) => Buffer.from(`\ufeff${manifest}`),
      'starts with a byte order mark',
    ],
    ['another encoding', (manifest: string) => Buffer.from(manifest, 'utf16le'), 'is not UTF-8'],
    [
      'invalid UTF-8',
      (manifest: string) => Buffer.from(manifest.replace('ä', '\xff'), 'latin1'),
      'is not UTF-8',
    ],
  ])('are not enough for a manifest with %s, which is refused', async (_what, encode, message) => {
    const bundle = await create();
    const files = { 'index.html': 'x', 'ä.txt': 'x' };
    await uploadFiles(bundle, files, encode(manifestOf(files)));
    const refused = await publish(bundle);
    expectError(refused, 400, 'invalid_manifest');
    expect((refused.body as { message: string }).message).toContain(message);
    await postFile(bundle, manifestOf(files), { href: MANIFEST });
    expect((await publish(bundle)).status).toBe(200);
  });
});

describe('many publishers at once', () => {
  it('deploy in one order, of which the last is what devices get', async () => {
    const own = await createApp(tenant);
    const { api } = own;
    const bundles = await Promise.all(Array.from({ length: 20 }, () => createBundle(own)));
    await Promise.all(bundles.map((bundle, i) => uploadFiles(bundle, { 'index.html': `<html>${i}` })));
    const answered: string[] = [];
    const sequences = (): Promise<{ sequence: string }[]> =>
      query(
        testEnvironment().databaseUrl,
        'SELECT sequence FROM deployments WHERE app_id = $1 ORDER BY sequence',
        [own.id],
      );
    let newest = 0;
    let known = 0;
    let running = true;
    // Nothing is ever committed behind what can be seen already.
    const watching = (async () => {
      while (running) {
        const seen = (await sequences()).map(({ sequence }) => Number(sequence));
        expect(seen.slice(0, known).at(-1) ?? 0).toBe(newest);
        [newest, known] = [seen.at(-1) ?? 0, seen.length];
      }
    })();
    await Promise.all(
      bundles.map(async (bundle) => {
        const { status, body } = await publish(bundle);
        expect(status).toBe(200);
        answered.push((body as { appDeploymentId: string }).appDeploymentId);
      }),
    );
    running = false;
    await watching;
    const list = await api.get(`${own.path}/deployments?limit=100`);
    const order = list.body as { id: string; appBuildId: string }[];
    expect(order.map((deployment) => deployment.id).sort()).toEqual(answered.sort());

    // Devices are offered the newest one; without it, the one before, and so on.
    for (const { id: deploymentId, appBuildId } of order) {
      const check = await api
        .request('get', `${own.path}/bundles/latest`)
        .unset('Authorization')
        .query({ appVersionCode: '1', platform: '0', pluginVersion: '8.4.3', deviceId: 'a' });
      expect(check.body).toMatchObject({
        bundleId: bundles.find(({ buildId }) => buildId === appBuildId)?.id,
      });
      await api.patch(`${own.path}/deployments/${deploymentId}`, { rolloutPercentage: 0 });
    }
  });
});
