import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createTenant } from '../../builders/identities.js';
import { publishManifest, publishZip } from '../../builders/publication.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { IosDevice } from '../../support/devices/ios.js';
import { rawGet, type RawResponse } from '../../support/devices/raw-get.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import { type Files, unzip } from '../../support/live-updates/archives.js';
import { MANIFEST } from '../../support/live-updates/uploads.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { sha256 } from '../../support/sha256.js';

interface Offered {
  readonly artifactType: string;
  readonly bundleId: string;
  readonly checksum?: string;
  readonly signature?: string;
  readonly url: string;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const component = (n: number): string => `export const component${n} = () => 'component ${n}';\n`.repeat(5);

/** Many small files: their zip is much smaller than what the requests for them take. */
const FIRST: Files = {
  'index.html': '<html>',
  'cordova.js': '',
  'polyfills.js': 'legacy()',
  ...Object.fromEntries(Array.from({ length: 27 }, (_, n) => [`assets/${n} ü.js`, component(n)])),
};
/** One component is another, and a file has taken over the content of another one. */
const SECOND: Files = { ...FIRST, 'assets/7 ü.js': component(1000), 'polyfills.js': '' };

const asFiles = (files: Files): Map<string, Buffer> =>
  new Map(Object.entries(files).map(([href, content]) => [href, Buffer.from(content)]));

/** A server of its own, which compresses nothing of other tests before. */
let site: OwnSite;
let app: TestApp;
beforeAll(async () => {
  site = await OwnSite.start();
});
afterAll(() => site.dispose());
beforeEach(async () => {
  app = await createApp(await createTenant(site));
});

const offer = async (query = 'platform=0&pluginVersion=8.4.3'): Promise<Offered> => {
  const { status, body } = await rawGet(app.api.origin, `${app.path}/bundles/latest?${query}`);
  expect(status).toBe(200);
  return JSON.parse(body.toString()) as Offered;
};

const downloadZip = (bundleId: string, of = app): Promise<RawResponse> =>
  rawGet(app.api.origin, `${of.path}/bundles/${bundleId}/download/zip`);

const stateOf = async (bundleId: string): Promise<string | undefined> => {
  const sql = 'SELECT state FROM generated_zips WHERE bundle_id = $1';
  return (await site.query<{ state: string }>(sql, [bundleId]))[0]?.state;
};

const sizesOf = async (deploymentId: string | null): Promise<unknown> =>
  (await app.api.get(`${app.path}/deployments/${deploymentId}/transfer-sizes`)).body;

/** Waits until it is known whether a bundle has a zip, and servers know it. */
const settled = (bundleId: string, state: 'ready' | 'useless' = 'ready'): Promise<void> =>
  eventually(async () => {
    expect(await stateOf(bundleId)).toBe(state);
    if (state === 'ready') expect((await offer()).artifactType).toBe('zip');
  });

describe.each([
  ['Android', AndroidDevice],
  ['iOS', IosDevice],
] as const)('on %s', (_platform, PlatformDevice) => {
  it.each(['8.4.3', '7.2.2', '7.0.0', '6.6.0'])(
    'the first install is a zip and later ones reuse its files, with plugin %s',
    async (pluginVersion) => {
      const { id } = await publishManifest(app, FIRST);
      await settled(id);
      const device = new PlatformDevice({ origin: site.origin, appId: app.id, pluginVersion });
      expect(await device.sync()).toMatchObject({ bundleId: id, downloads: [null] });
      expect(device.files).toEqual(asFiles(FIRST));
      const second = await publishManifest(app, SECOND);
      await settled(second.id);
      const { downloads } = await device.sync();
      // A file of it is empty, which some plugins on iOS cannot download.
      const isZip = _platform === 'iOS' && ['7.0.0', '6.6.0'].includes(pluginVersion);
      expect(downloads.toSorted()).toEqual(
        isZip ? [null] : [MANIFEST, 'assets/7 ü.js', 'polyfills.js'].toSorted(),
      );
      expect(device.files).toEqual(asFiles(SECOND));
    },
  );
});

it('has the named manifest, then the files in its order, and the same bytes for the same files', async () => {
  const { id } = await publishManifest(app, FIRST);
  await settled(id);
  const { status, headers, body } = await downloadZip(id);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(body.length),
    'x-checksum': sha256(body),
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(headers['x-signature']).toBeUndefined();
  const files = unzip(body);
  expect([...files.keys()]).toEqual([MANIFEST, ...Object.keys(FIRST)]);
  const named = await rawGet(app.api.origin, `${app.path}/bundles/${id}/download/named?href=${MANIFEST}`);
  expect(files.get(MANIFEST)).toEqual(named.body);
  expect(await offer()).toEqual({
    artifactType: 'zip',
    bundleId: id,
    channelName: 'default',
    checksum: sha256(body),
    url: `${app.api.origin}${app.path}/bundles/${id}/download/zip`,
  });
  const elsewhere = await createApp(await createTenant(site));
  const copy = await publishManifest(elsewhere, FIRST);
  await eventually(async () => expect(await stateOf(copy.id)).toBe('ready'));
  expect((await downloadZip(copy.id, elsewhere)).body.equals(body)).toBe(true);
});

it('is offered only to devices that run no bundle, on the fast path and in Express', async () => {
  const { id } = await publishManifest(app, FIRST);
  await settled(id);
  await createChannel(app, { name: 'beta' });
  const values = { channelName: 'beta' };
  const other = await publishManifest(app, { 'index.html': '' }, { values });
  for (const latest of ['latest', 'Latest']) {
    const typeFor = async (bundleId: string): Promise<[string, string]> => {
      const target = `${app.path}/bundles/${latest}?platform=0&pluginVersion=8.4.3${bundleId}`;
      const { artifactType, url } = JSON.parse(
        (await rawGet(app.api.origin, target)).body.toString(),
      ) as Offered;
      return [artifactType, url.slice(url.lastIndexOf('/'))];
    };
    for (const none of ['', '&bundleId', '&bundleId=']) expect(await typeFor(none)).toEqual(['zip', '/zip']);
    for (const running of [id, other.id]) {
      expect(await typeFor(`&bundleId=${running}`)).toEqual(['manifest', '/named']);
    }
  }
});

describe('of a bundle with an empty file', () => {
  const EMPTY: Files = { 'index.html': '<html>', 'empty.js': '' };
  const ios = (pluginVersion: string, deviceId = randomUUID()): IosDevice =>
    new IosDevice({ origin: site.origin, appId: app.id, pluginVersion, deviceId });
  const checksOf = async (deviceId: string): Promise<unknown> => {
    const { body } = await app.api.get(`${app.path}/devices/${deviceId}/decision`);
    const { steps, goals } = body as { steps: { checks?: { check: string }[] }[]; goals: unknown };
    const checks = steps.flatMap((step) => step.checks ?? []);
    return { check: checks.find(({ check }) => check === 'empty-files'), goals };
  };

  it('is made however little it saves, for the plugins on iOS that need it, whatever they run', async () => {
    const before = await publishManifest(app, { 'index.html': 'before' });
    const devices = ['6.6.0', '7.1.0', '7.2.1', '7.2.2', '8.4.3'].map((version) => ios(version));
    const android = new AndroidDevice({ origin: site.origin, appId: app.id, pluginVersion: '7.2.1' });
    for (const device of [...devices, android]) await device.sync();
    const { id } = await publishManifest(app, EMPTY);
    await eventually(async () => expect(await stateOf(id)).toBe('ready'));
    await eventually(async () => expect((await downloadZip(id)).status).toBe(200));
    const fresh = ['6.6.0', '7.2.1', '7.2.2'].map((version) => ios(version));
    await eventually(async () => {
      expect((await offer(`platform=1&pluginVersion=7.2.1&bundleId=${before.id}`)).artifactType).toBe('zip');
    });
    const downloads = await Promise.all(
      [...devices, android, ...fresh].map(async (device) => (await device.sync()).downloads[0]),
    );
    expect(downloads).toEqual([null, null, null, MANIFEST, MANIFEST, MANIFEST, null, null, null]);
    for (const device of [...devices, android, ...fresh]) expect(device.files).toEqual(asFiles(EMPTY));
  });

  it.each([
    ['signed', { privateKey }],
    ['not zipped yet', {}],
  ])(
    'is not offered to them when it is %s, unless they run it, and nothing older either',
    async (_what, options) => {
      const older = await publishManifest(app, { 'index.html': 'older' });
      const running = await publishManifest(app, { 'index.html': 'running' });
      const { id } = await publishManifest(app, EMPTY, options);
      await eventually(async () => expect(await stateOf(id)).not.toBe('pending'));
      await site.query('DELETE FROM generated_zips WHERE bundle_id = $1', [id]);
      await site.query("SELECT pg_notify('releases', $1)", [app.id]);
      const query = 'platform=1&pluginVersion=7.2.1';
      await eventually(async () => expect((await offer(query)).bundleId).toBe(running.id));
      expect((await offer(`${query}&bundleId=${running.id}`)).bundleId).toBe(running.id);
      expect((await offer(`${query}&bundleId=${id}`)).bundleId).toBe(id);
      expect((await offer(`platform=1&pluginVersion=7.2.2&bundleId=${running.id}`)).bundleId).toBe(id);
      expect((await offer(`${query}&bundleId=${older.id}`)).bundleId).toBe(running.id);
      const device = ios('7.2.1');
      expect(await device.sync()).toMatchObject({ bundleId: running.id });
      expect(await checksOf(device.deviceId)).toMatchObject({
        check: { passed: false, required: 'zip', actual: 'manifest' },
        goals: [
          {
            deployment: { bundleId: id },
            remedies: [{ remedy: 'support-type', target: 'device', required: '7.2.2', actual: '7.2.1' }],
          },
        ],
      });
    },
  );

  it('is made for deployed bundles of earlier versions, and tried again after a day', async () => {
    const { id } = await publishManifest(app, EMPTY);
    const unused = await publishManifest(app, EMPTY, { values: { channelName: undefined } });
    const failed = await publishManifest(app, EMPTY);
    const all = [id, unused.id, failed.id];
    for (const each of all) await eventually(async () => expect(await stateOf(each)).toBe('ready'));
    await site.server.stop();
    const settle = `UPDATE generated_zips SET state = 'useless', blob_id = NULL, attempts = 10, claimed_until = `;
    await site.query(`${settle} NULL WHERE bundle_id = ANY ($1)`, [[id, unused.id]]);
    await site.query(`${settle} now() + interval '1 hour' WHERE bundle_id = $1`, [failed.id]);
    await site.query(
      'DELETE FROM deployments USING build_artifacts AS a WHERE a.build_id = deployments.build_id AND a.id = $1',
      [unused.id],
    );
    await site.restart();
    await eventually(async () => expect(await stateOf(id)).toBe('ready'));
    expect([await stateOf(unused.id), await stateOf(failed.id)]).toEqual(['useless', 'useless']);
    await site.server.stop();
    await site.query(
      `UPDATE generated_zips SET claimed_until = now() - interval '1 second' WHERE bundle_id = $1`,
      [failed.id],
    );
    await site.restart();
    await eventually(async () => expect(await stateOf(failed.id)).toBe('ready'));
  });

  it('is counted in transfer sizes and simulations', async () => {
    const { deploymentId } = await publishManifest(app, { 'index.html': 'before' });
    for (const version of ['7.2.1', '7.2.2']) await ios(version).sync();
    expect(await sizesOf(deploymentId)).toMatchObject({ zipOnlyDevices: 0 });
    const { deploymentId: signed } = await publishManifest(app, EMPTY, { privateKey });
    expect(await sizesOf(signed)).toMatchObject({ zipOnlyDevices: 1, full: { zipSizeInBytes: null } });
    const { body } = await app.api.post(`${app.path}/simulations`, {
      change: 'rollout',
      appDeploymentId: signed,
      rolloutPercentage: 1,
    });
    expect(body).toMatchObject({ total: { excluded: [{ reason: 'empty-files', devices: 1 }] } });
  });
});

it('is not there until it has been made', async () => {
  const { id } = await publishManifest(app, FIRST);
  await settled(id);
  await site.query('DELETE FROM generated_zips WHERE bundle_id = $1', [id]);
  await site.query("SELECT pg_notify('releases', $1)", [app.id]);
  await eventually(async () => expect((await offer()).url).toMatch(/\/download\/named$/));
  const response = await downloadZip(id);
  expect(response.status).toBe(404);
  expect(response.headers['x-checksum']).toBe('0'.repeat(64));
});

it('is compared by the content coding that the plugin accepts', async () => {
  // Brotli finds the text again that was there 100 kB before; deflate, of gzip and of the zip, looks back 32 kB.
  const text = randomBytes(50_000).toString('hex');
  const small = Array.from({ length: 30 }, (_, n) => [`${n}.txt`, String(n)] as const);
  const files = { 'index.html': '<html>', 'text.txt': text + text, ...Object.fromEntries(small) };
  const { id } = await publishManifest(app, files);
  await eventually(async () => expect(await stateOf(id)).toBe('ready'));
  await eventually(async () => {
    expect((await offer('platform=0&pluginVersion=8.3.0')).artifactType).toBe('zip');
  });
  for (const device of ['platform=0&pluginVersion=8.4.0', 'platform=1&pluginVersion=7.0.0']) {
    expect((await offer(device)).artifactType).toBe('manifest');
  }
});

it('is not kept when it is not smaller, and not made again', async () => {
  const { id } = await publishManifest(app, { 'index.html': randomBytes(50_000) });
  await settled(id, 'useless');
  expect((await offer()).artifactType).toBe('manifest');
  expectError(await app.api.get(`${app.path}/bundles/${id}/download/zip`), 404);
  const sql = 'SELECT attempts, blob_id AS "blobId" FROM generated_zips WHERE bundle_id = $1';
  expect(await site.query(sql, [id])).toEqual([{ attempts: 1, blobId: null }]);
});

it('is not made of signed bundles and of zips', async () => {
  const signed = await publishManifest(app, FIRST, { privateKey });
  const zip = await publishZip(app, FIRST);
  for (const { id } of [signed, zip]) {
    expect(await stateOf(id)).toBeUndefined();
    expect((await downloadZip(id)).status).toBe(404);
  }
});

it('belongs to its app and is deleted with its bundle', async () => {
  const { id } = await publishManifest(app, FIRST);
  await settled(id);
  const elsewhere = await createApp(app.tenant);
  expect((await downloadZip(id, elsewhere)).status).toBe(404);
  expect((await downloadZip('00000000-0000-7000-8000-000000000000')).status).toBe(404);
  expect((await app.api.delete(`${app.path}/bundles/${id}`)).status).toBe(204);
  expect((await downloadZip(id)).status).toBe(404);
  expect(await stateOf(id)).toBeUndefined();
});

it('counts as a download and is in the transfer sizes', async () => {
  const { id, deploymentId } = await publishManifest(app, FIRST);
  await settled(id);
  const { body } = await downloadZip(id);
  const sizes = await app.api.get(`${app.path}/deployments/${deploymentId}/transfer-sizes`);
  expect(sizes.body).toMatchObject({ full: { zipSizeInBytes: body.length, files: 31 } });
});
