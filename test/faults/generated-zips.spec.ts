import { rm, writeFile } from 'node:fs/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { AndroidDevice } from '../support/devices/android.js';
import { rawGet } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { expectCleanable, expectIntegrity } from '../support/live-updates/integrity.js';
import { publish, uploadFiles } from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';
import { sha256 } from '../support/sha256.js';

const component = (n: number): string => `export const component${n} = () => 'component ${n}';\n`.repeat(5);
const FILES = {
  'index.html': '<html>',
  ...Object.fromEntries(Array.from({ length: 29 }, (_, n) => [`${n}.js`, component(n)])),
};

interface ZipRow extends Record<string, unknown> {
  readonly state: string;
  readonly attempts: number;
  readonly blobId: string | null;
}

let site: OwnSite;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  await site.clear();
});
afterAll(() => site.dispose());

async function publishFiles(app?: TestApp): Promise<TestBundle> {
  const bundle = await createBundle(app ?? (await createApp(await createTenant(site))));
  // Bundles of one organization that have the same files share one zip.
  await uploadFiles(bundle, app === undefined ? FILES : { ...FILES, 'index.html': bundle.id });
  expect((await publish(bundle)).status).toBe(200);
  return bundle;
}

const zips = () =>
  site.query<ZipRow>('SELECT state, attempts, blob_id AS "blobId" FROM generated_zips ORDER BY bundle_id');
const untilReady = (): Promise<ZipRow> =>
  eventually(async () => {
    const rows = await zips();
    expect(rows.map(({ state }) => state)).toEqual(['ready']);
    return rows[0]!;
  });

const offer = async ({ appId }: TestBundle): Promise<{ artifactType: string; url: string }> => {
  const check = await rawGet(site.origin, `/v1/apps/${appId}/bundles/latest?platform=0`);
  expect(check.status).toBe(200);
  return JSON.parse(check.body.toString()) as { artifactType: string; url: string };
};
const untilOffered = (bundle: TestBundle, artifactType: string): Promise<void> =>
  eventually(async () => expect((await offer(bundle)).artifactType).toBe(artifactType));

/** Makes the zip again, as if the bundle had just been published. */
const forget = (): Promise<unknown> =>
  site.query("UPDATE generated_zips SET state = 'pending', blob_id = NULL, checksum = NULL, attempts = 0");

it('is made in turns with those of other organizations', async () => {
  const app = await createApp(await createTenant(site));
  for (let i = 0; i < 6; i++) await publishFiles(app);
  const last = await publishFiles();
  await site.kill();
  await site.query("UPDATE blob_variants SET state = 'useless', object_id = NULL, size_in_bytes = NULL");
  await forget();
  await site.query('UPDATE generated_zips SET claimed_until = NULL');
  await site.query(
    'DELETE FROM blobs AS blob WHERE NOT EXISTS (SELECT FROM bundle_files WHERE blob_id = blob.id)',
  );
  await site.restart();
  await eventually(async () =>
    expect(new Set((await zips()).map(({ state }) => state))).toEqual(new Set(['ready'])),
  );
  // Ids of blobs are in the order of their making.
  const made = await site.query<{ bundle_id: string }>(
    'SELECT bundle_id FROM generated_zips ORDER BY blob_id',
  );
  expect(made.findIndex(({ bundle_id: id }) => id === last.id)).toBeLessThan(2);
});

it('is made after the process that was making it was killed', async () => {
  await publishFiles();
  await site.kill();
  // As if it had just been claimed; the staged bytes are garbage.
  await forget();
  await site.query('UPDATE generated_zips SET attempts = 1, claimed_until = now()');
  // It waits for the compressed form of the manifest.
  await site.query('UPDATE blob_variants SET claimed_until = now() WHERE claimed_until IS NOT NULL');
  await site.restart();
  expect((await untilReady()).attempts).toBe(2);
  await expectIntegrity(site);
  await expectCleanable(site);
});

it('is made once, however many processes there are', async () => {
  const other = await OwnSite.beside(site);
  try {
    const bundle = await publishFiles();
    expect((await untilReady()).attempts).toBe(1);
    await untilOffered(bundle, 'zip');
    const elsewhere = await rawGet(other.origin, `/v1/apps/${bundle.appId}/bundles/latest?platform=0`);
    expect(JSON.parse(elsewhere.body.toString())).toMatchObject({ artifactType: 'zip' });
    await site.expectTidy();
  } finally {
    await other.stop();
  }
});

it('is not offered while it is damaged, is made again with the same bytes, and the bundle stays', async () => {
  const bundle = await publishFiles();
  const { blobId } = await untilReady();
  await untilOffered(bundle, 'zip');
  const { url } = await offer(bundle);
  const path = url.slice(site.origin.length);
  const before = await rawGet(site.origin, path);
  const sizeInBytes = before.body.length;
  await writeFile(site.pathOf(blobId!), 'X'.repeat(sizeInBytes));
  // So that it is not made again at once.
  await site.query('UPDATE generated_zips SET attempts = 10');
  await site.query(`UPDATE blobs SET verified_at = now() - interval '31 days' WHERE id = $1`, [blobId]);
  await site.restart();
  await untilOffered(bundle, 'manifest');
  const damaged = await rawGet(site.origin, path);
  expect(damaged.status).toBe(500);
  expect(damaged.headers['x-checksum']).toBe('0'.repeat(64));
  const device = new AndroidDevice({ origin: site.origin, appId: bundle.appId });
  expect((await device.sync()).downloads).toHaveLength(31);

  await site.query('UPDATE generated_zips SET attempts = 1');
  await site.restart();
  await untilOffered(bundle, 'zip');
  const after = await rawGet(site.origin, path);
  expect([after.status, sha256(after.body)]).toEqual([200, sha256(before.body)]);
  await expectIntegrity(site);
});

it('is not offered any more when a download finds it gone, and is made again', async () => {
  const bundle = await publishFiles();
  const { blobId } = await untilReady();
  await untilOffered(bundle, 'zip');
  const path = (await offer(bundle)).url.slice(site.origin.length);
  const before = await rawGet(site.origin, path);
  await rm(site.pathOf(blobId!));
  const gone = await rawGet(site.origin, path);
  expect([gone.status, gone.headers['x-checksum']]).toEqual([500, '0'.repeat(64)]);
  await eventually(async () => {
    const after = await rawGet(site.origin, path);
    expect([after.status, sha256(after.body)]).toEqual([200, sha256(before.body)]);
  });
  await untilOffered(bundle, 'zip');
  await expectIntegrity(site);
});

it('is not made of damaged files, which are reported', async () => {
  await publishFiles();
  await untilReady();
  const [file] = await site.query<{ id: string }>('SELECT id FROM blobs WHERE sha256 = $1', [
    sha256(component(7)),
  ]);
  await writeFile(site.pathOf(file!.id), 'X'.repeat(component(7).length));
  await forget();
  await site.restart();
  await eventually(async () => {
    const damaged = await site.query('SELECT id FROM blobs WHERE damaged_at IS NOT NULL');
    expect(damaged).toEqual([file]);
  });
  expect(await zips()).toEqual([{ state: 'pending', attempts: 1, blobId: null }]);
  await site.expectTidy();
});
