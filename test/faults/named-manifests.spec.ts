import { generateKeyPairSync } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { checkForUpdate } from '../builders/device.js';
import { createTenant } from '../builders/identities.js';
import { publishManifest } from '../builders/publication.js';
import { rawGet } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { retainOnServer } from '../support/live-updates/retention.js';
import { MANIFEST } from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const FIRST = { 'index.html': '<html>', 'i18n/de.json': '{"a":1}', 'i18n/fr.json': '{}' };

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

const signed = () => publishManifest(app, FIRST, { privateKey });

/** Runs the hourly job. */
async function repair(): Promise<void> {
  await site.query(`INSERT INTO queue.job (name, data) VALUES ('named-manifests', '{}')`);
  await eventually(async () => {
    const left = await site.query(
      `SELECT state FROM queue.job WHERE name = 'named-manifests' AND state <> 'completed'`,
    );
    expect(left).toEqual([]);
  });
}

const manifests = () =>
  site.query('SELECT bundle_id AS id, offered, files FROM plain_manifests ORDER BY bundle_id');
const downloadNamed = (bundleId: string) =>
  rawGet(app.api.origin, `${app.path}/bundles/${bundleId}/download/named?href=${MANIFEST}`);
async function pathOf(bundleId: string, href: string): Promise<string> {
  const [file] = await site.query<{ id: string }>(
    'SELECT blob_id AS id FROM bundle_files WHERE bundle_id = $1 AND href = $2',
    [bundleId, href],
  );
  return site.pathOf(file!.id);
}

describe('a named manifest that is damaged', () => {
  it('is made again when a device asks for it and it is gone', async () => {
    const { id } = await publishManifest(app, FIRST);
    const before = await downloadNamed(id);
    await rm(await pathOf(id, '/named-manifest'));
    const after = await downloadNamed(id);
    expect([after.status, after.body.toString()]).toEqual([200, before.body.toString()]);
  });

  it('keeps its bundle on offer, and is made again by the job', async () => {
    const { id } = await publishManifest(app, FIRST);
    const before = await downloadNamed(id);
    const path = await pathOf(id, '/named-manifest');
    await writeFile(path, 'X'.repeat(before.body.length));
    await site.query(
      `UPDATE blobs SET damaged_at = now(), damage = 'checksum'
        WHERE id = (SELECT blob_id FROM bundle_files WHERE href = '/named-manifest')`,
    );
    expect((await checkForUpdate(app, {})).body).toMatchObject({ bundleId: id });
    await repair();
    expect(await site.query('SELECT id FROM blobs WHERE damaged_at IS NOT NULL')).toEqual([]);
    expect((await downloadNamed(id)).body.toString()).toBe(before.body.toString());
  });

  it('is made again, although another one cannot be', async () => {
    const { id } = await publishManifest(app, FIRST);
    const lost = await publishManifest(app, { 'index.html': '<p>' });
    await rm(await pathOf(lost.id, MANIFEST));
    await site.query(
      `UPDATE blobs SET damaged_at = now(), damage = 'checksum'
        WHERE id IN (SELECT blob_id FROM bundle_files WHERE href = '/named-manifest')`,
    );
    await repair();
    const sound = await site.query(
      `SELECT bundle_id AS id FROM bundle_files JOIN blobs ON blobs.id = blob_id
        WHERE href = '/named-manifest' AND damaged_at IS NULL`,
    );
    expect(sound).toEqual([{ id }]);
  });
});

describe('manifests of deleted bundles', () => {
  const days = (count: number) =>
    site.query(`UPDATE plain_manifests SET unneeded_since = unneeded_since - $1 * interval '1 day'`, [count]);

  it('stay until no device has run the bundle for as long as devices count', async () => {
    const { id } = await signed();
    await checkForUpdate(app, { deviceId: 'phone', bundleId: id });
    await app.api.get(`${app.path}/devices`);
    expect((await app.api.delete(`${app.path}/bundles/${id}`)).status).toBe(204);
    await site.query(`UPDATE devices SET last_seen_at = now() - interval '400 days'`);
    await retainOnServer(site);
    await days(91);
    await retainOnServer(site);
    expect(await manifests()).toHaveLength(1);
    await site.query('UPDATE devices SET bundle_id = NULL');
    await retainOnServer(site);
    await days(89);
    await retainOnServer(site);
    expect(await manifests()).toHaveLength(1);
    await days(2);
    await retainOnServer(site);
    expect(await manifests()).toEqual([]);
  });

  it.each([
    ['was deleted', (id: string) => app.api.delete(`${app.path}/devices/${id}`)],
    [
      'has expired',
      async () => {
        await site.query(`UPDATE devices SET last_seen_at = now() - interval '366 days'`);
        await site.query(`INSERT INTO queue.job (name, data) VALUES ('device-retention', '{}')`);
      },
    ],
  ])('stay for the device that %s, and may come back with the files', async (_, forget) => {
    const { id } = await signed();
    await checkForUpdate(app, { deviceId: 'phone', bundleId: id });
    await app.api.get(`${app.path}/devices`);
    // One that no device has reported is forgotten as before.
    const unused = await signed();
    for (const bundle of [id, unused.id]) await app.api.delete(`${app.path}/bundles/${bundle}`);
    await forget('phone');
    await eventually(async () =>
      expect(await site.query(`SELECT FROM devices WHERE id = 'phone'`)).toEqual([]),
    );
    for (let run = 0; run < 3; run++) {
      await retainOnServer(site);
      await days(400);
    }
    expect(await manifests()).toMatchObject([{ id }]);
    // A file has taken over the content of another one.
    const next = await publishManifest(app, { ...FIRST, 'i18n/de.json': '{}' }, { privateKey });
    const check = (bundleId: string) => checkForUpdate(app, { deviceId: 'phone', bundleId });
    expect((await check(id)).text).toContain('would reuse files');
    expect((await check(next.id)).body).toMatchObject({ bundleId: next.id });
  });

  it('are at most 1,000 of an app, the newest builds', async () => {
    await site.query(
      `INSERT INTO plain_manifests (bundle_id, app_id, build_number, offered, files)
       SELECT gen_random_uuid(), $1, number, false, '\\x8b00805b5d03' FROM generate_series(1, 1005) AS number`,
      [app.id],
    );
    const { id } = await signed();
    const kept = await site.query<{ number: number }>(
      'SELECT build_number AS number FROM plain_manifests WHERE bundle_id <> $1 ORDER BY 1',
      [id],
    );
    expect([kept.length, kept[0]?.number]).toEqual([1000, 6]);
  });
});
