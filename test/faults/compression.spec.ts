import { rm } from 'node:fs/promises';
import { createApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { rawGet, type RawResponse } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { cleanStorage, expectCleanable, expectIntegrity } from '../support/live-updates/integrity.js';
import { largeText } from '../support/live-updates/large-texts.js';
import { publish, uploadFiles } from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  await site.clear();
});
afterAll(() => site.dispose());

async function publishText(texts: number, length: number): Promise<TestBundle> {
  const bundle = await createBundle(await createApp(await createTenant(site)));
  const files = Array.from({ length: texts }, (_, i) => [`${i}.js`, largeText(length)] as const);
  await uploadFiles(bundle, { ...Object.fromEntries(files), 'index.html': 'small' });
  expect((await publish(bundle)).status).toBe(200);
  return bundle;
}

const get = ({ path }: TestBundle, href: string, encoding: string): Promise<RawResponse> =>
  rawGet(site.origin, `${path}/download?href=${href}`, { 'Accept-Encoding': encoding });
const asBrotli = (bundle: TestBundle, href: string) => get(bundle, href, 'br');
const unfinished = () => site.query("SELECT blob_id FROM blob_variants WHERE state IN ('pending', 'quick')");
const untilFinished = () => eventually(async () => expect(await unfinished()).toEqual([]));

it('goes on with the variants that a killed process has left undone', async () => {
  const bundle = await publishText(12, 60_000);
  await site.kill();
  expect(await unfinished()).not.toEqual([]);
  // What was being made waits until no one can be making it any more.
  await site.query('UPDATE blob_variants SET claimed_until = now() WHERE claimed_until IS NOT NULL');
  await site.restart();
  expect((await asBrotli(bundle, '11.js')).status).toBe(200);
  await untilFinished();
  for (const href of ['0.js', '11.js']) {
    expect((await asBrotli(bundle, href)).headers['content-encoding']).toBe('br');
  }
  await expectIntegrity(site);
  await expectCleanable(site);
});

it('makes each variant once, however many processes there are', async () => {
  const other = await OwnSite.beside(site);
  try {
    await publishText(20, 20_000);
    await untilFinished();
    const attempts = await site.query<{ attempts: number; state: string }>(
      'SELECT DISTINCT attempts, state FROM blob_variants',
    );
    expect(attempts).toEqual([{ attempts: 1, state: 'ready' }]);
    await site.expectTidy();
  } finally {
    await other.stop();
  }
});

it('serves organizations in turns', async () => {
  const [first, later] = [await publishText(3, 20_000), await publishText(60, 20_000)];
  await site.kill();
  await site.query(
    "UPDATE blob_variants SET state = 'pending', object_id = NULL, size_in_bytes = NULL, sha256 = NULL, claimed_until = NULL",
  );
  await site.restart();
  await untilFinished();
  // Ids of objects are in the order of their making. The newest are made first, but all before those of others.
  const made = await site.query<{ bundle_id: string }>(
    `SELECT file.bundle_id FROM blob_variants AS variant JOIN bundle_files AS file ON file.blob_id = variant.blob_id
      WHERE file.href LIKE '%.js' ORDER BY variant.object_id`,
  );
  const turns = made.map(({ bundle_id: id }) => [first.id, later.id].indexOf(id));
  expect(turns).toHaveLength(126);
  expect(turns.lastIndexOf(0)).toBeLessThan(30);
});

it('sends the file itself when its variant was lost', async () => {
  const bundle = await publishText(1, 20_000);
  await untilFinished();
  const before = await asBrotli(bundle, '0.js');
  expect(before.headers['content-encoding']).toBe('br');
  const variants = () =>
    site.query<{ object_id: string }>(
      'SELECT object_id FROM blob_variants WHERE object_id IS NOT NULL ORDER BY encoding',
    );
  const [brotli] = await variants();
  await rm(site.pathOf(brotli!.object_id));
  expect((await get(bundle, '0.js', 'br, gzip')).headers['content-encoding']).toBe('gzip');
  const again = await eventually(async () => {
    const made = await variants();
    expect(made.map(({ object_id: id }) => id)).toEqual([
      expect.not.stringMatching(brotli!.object_id),
      expect.any(String),
    ]);
    return made;
  });
  for (const { object_id: id } of again) await rm(site.pathOf(id));
  const after = await get(bundle, '0.js', 'br, gzip');
  expect(after.status).toBe(200);
  expect(after.headers).not.toHaveProperty('content-encoding');
  expect(after.headers['content-length']).toBe(String(after.body.length));
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect(after.body).toEqual(before.body);
});

it('forgets the variants of a blob that is deleted, and cleaning removes their bytes', async () => {
  const bundle = await publishText(2, 20_000);
  await untilFinished();
  // Objects that the best quality has replaced wait for retention, or for this.
  await cleanStorage(site, '--older-than-hours', '0', '--delete');
  expect(await cleanStorage(site, '--older-than-hours', '0')).toEqual([
    'Found 0 abandoned writes, 0 unfinished uploads and 0 orphans older than 0 hours.',
  ]);
  expect((await bundle.api.delete(bundle.path)).status).toBe(204);
  await site.query('DELETE FROM blobs');
  expect(await site.query('SELECT 1 FROM blob_variants')).toEqual([]);
  await cleanStorage(site, '--older-than-hours', '0', '--delete');
  expect(await site.objects()).toEqual([]);
});

it.each([
  ["'pending', object_id = NULL, size_in_bytes = NULL", 'useless'],
  ["'quick'", 'ready'],
])('leaves a blob alone that cannot be compressed: state %s becomes %s', async (former, state) => {
  await publishText(1, 20_000);
  await untilFinished();
  const [blob] = await site.query<{ blob_id: string }>(
    'SELECT blob_id FROM blob_variants WHERE object_id IS NOT NULL',
  );
  await rm(site.pathOf(blob!.blob_id));
  await site.query(`UPDATE blob_variants SET attempts = 9, state = ${former} WHERE blob_id = $1`, [
    blob!.blob_id,
  ]);
  // A publication lets the server look for unfinished variants.
  await publishText(1, 20_000);
  await untilFinished();
  expect(
    await site.query('SELECT DISTINCT state FROM blob_variants WHERE blob_id = $1', [blob!.blob_id]),
  ).toEqual([{ state }]);
});

it('publishes again what a killed process was compressing, and leaves nothing that cannot be cleaned', async () => {
  const bundle = await createBundle(await createApp(await createTenant(site)));
  const files = Array.from({ length: 15 }, (_, i) => [`${i}.js`, largeText(150_000)] as const);
  await uploadFiles(bundle, { ...Object.fromEntries(files), 'index.html': 'small' });
  const publication = publish(bundle).catch(() => null);
  await eventually(async () =>
    expect(await site.query("SELECT 1 FROM blob_variants WHERE state = 'quick'")).not.toEqual([]),
  );
  await site.kill();
  await publication;
  await site.restart();
  await untilFinished();
  await expectIntegrity(site);
  await expectCleanable(site);
  const api = new Api(site.origin, bundle.api.token);
  const { status, body } = await publish({ ...bundle, api });
  expect([status, body]).toEqual([200, expect.objectContaining({ artifactStatus: 'ready' })]);
  expect((await asBrotli(bundle, '14.js')).headers['content-encoding']).toBe('br');
  await site.expectTidy();
});

it('gives back what it is making when it is stopped, and leaves nothing of it', async () => {
  await publishText(3, 2_000_000);
  await eventually(async () =>
    expect(await site.query('SELECT 1 FROM blob_variants WHERE claimed_until IS NOT NULL')).toHaveLength(1),
  );
  expect(await site.server.stop()).toBe(0);
  expect(await site.query('SELECT 1 FROM blob_variants WHERE claimed_until IS NOT NULL')).toEqual([]);
  expect(await site.incoming()).toEqual([]);
  const [objects, owners] = [await site.objects(), await site.owners()];
  expect(objects).toEqual(expect.arrayContaining(owners));
  // What the best quality has replaced waits for retention.
  const replaced = await site.query("SELECT 1 FROM blob_variants WHERE state = 'ready'");
  expect(objects.length - owners.length).toBeLessThanOrEqual(replaced.length);
});
