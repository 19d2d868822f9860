import { generateKeyPairSync } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { checkForUpdate } from '../builders/device.js';
import { createTenant } from '../builders/identities.js';
import { publishManifest, publishZip } from '../builders/publication.js';
import { rawGet } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import type { Files } from '../support/live-updates/archives.js';
import { retainOnServer } from '../support/live-updates/retention.js';
import { MANIFEST, manifestOf } from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const FIRST = { 'index.html': '<html>', 'i18n/de.json': '{"a":1}', 'i18n/fr.json': '{}' };
/** A file has taken over the content of another. */
const WRONG = { ...FIRST, 'i18n/de.json': '{}' };

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
  await createChannel(app, { name: 'beta' });
});
afterAll(() => site.dispose());

const signed = (files: Files, channelName?: string) =>
  publishManifest(app, files, { privateKey, values: channelName === undefined ? {} : { channelName } });

/** Leaves what an earlier version has stored. */
const forget = async (): Promise<void> => {
  for (const table of ['plain_manifests', 'unsafe_reuses', 'manifest_comparisons'])
    await site.query(`DELETE FROM ${table}`);
  await site.query(`DELETE FROM bundle_files WHERE href = '/named-manifest'`);
};

/** Runs the job, several times at once if that is said. */
async function backfill(times = 1): Promise<void> {
  await site.query(
    `INSERT INTO queue.job (name, data) SELECT 'named-manifests', '{}' FROM generate_series(1, $1::int)`,
    [times],
  );
  await eventually(async () => {
    const left = await site.query(
      `SELECT state FROM queue.job WHERE name = 'named-manifests' AND state <> 'completed'`,
    );
    expect(left).toEqual([]);
  }, 60_000);
}

const manifests = () =>
  site.query('SELECT bundle_id AS id, offered, files FROM plain_manifests ORDER BY bundle_id');
const reuses = () =>
  site.query('SELECT bundle_id AS id, running_bundle_id AS running, kind FROM unsafe_reuses ORDER BY 1, 2');
const attempts = () =>
  site.query<{ id: string; compared: boolean; at: Date | null }>(
    'SELECT bundle_id AS id, compared, attempted_at AS at FROM manifest_comparisons ORDER BY bundle_id',
  );
const downloadNamed = (bundleId: string) =>
  rawGet(app.api.origin, `${app.path}/bundles/${bundleId}/download/named?href=${MANIFEST}`);
async function pathOf(bundleId: string, href: string): Promise<string> {
  const [file] = await site.query<{ id: string }>(
    'SELECT blob_id AS id FROM bundle_files WHERE bundle_id = $1 AND href = $2',
    [bundleId, href],
  );
  return site.pathOf(file!.id);
}

describe('bundles of an earlier version', () => {
  it('are compared as at their publication, also by several runs at once and again', async () => {
    const zip = await publishZip(app, { ...FIRST, [MANIFEST]: manifestOf(FIRST) });
    await publishZip(app, FIRST);
    const first = await signed(FIRST, 'beta');
    const wrong = await signed(WRONG);
    const expected = [await manifests(), await reuses()];
    expect(expected[1]).toEqual([
      { id: wrong.id, running: zip.id, kind: 'content' },
      { id: wrong.id, running: first.id, kind: 'content' },
    ]);
    await forget();
    await backfill(3);
    expect([await manifests(), await reuses()]).toEqual(expected);
    await backfill();
    expect([await manifests(), await reuses()]).toEqual(expected);
    expect((await checkForUpdate(app, { bundleId: first.id })).status).toBe(404);
  });

  it('that are not signed may be on devices as they were uploaded, and are never offered so', async () => {
    const unsigned = await publishManifest(app, FIRST);
    const later = await signed(WRONG, 'beta');
    expect(await reuses()).toEqual([]);
    await forget();
    await backfill();
    expect(await manifests()).toMatchObject([
      { id: unsigned.id, offered: false },
      { id: later.id, offered: true },
    ]);
    expect(await reuses()).toEqual([{ id: later.id, running: unsigned.id, kind: 'content' }]);
    expect((await downloadNamed(unsigned.id)).status).toBe(200);
    const offer = await checkForUpdate(app, { bundleId: unsigned.id, channelName: 'beta' });
    expect(offer.status).toBe(404);
  });

  it('do not wait for one that fails, which is tried again after a day', async () => {
    const [sound, damaged] = [await publishManifest(app, FIRST), await publishManifest(app, WRONG)];
    await writeFile(await pathOf(damaged.id, MANIFEST), 'X'.repeat(manifestOf(WRONG).length));
    await forget();
    await backfill();
    const failed = await attempts();
    expect(failed).toMatchObject([
      { id: sound.id, compared: true },
      { id: damaged.id, compared: false },
    ]);
    expect(
      await site.query(`SELECT bundle_id AS id FROM bundle_files WHERE href = '/named-manifest'`),
    ).toEqual([{ id: sound.id }]);
    expect((await downloadNamed(damaged.id)).status).toBe(500);
    await backfill();
    expect(await attempts()).toEqual(failed);
    await writeFile(await pathOf(damaged.id, MANIFEST), manifestOf(WRONG));
    await site.query(`UPDATE blobs SET damaged_at = NULL, damage = NULL`);
    await site.query(`UPDATE manifest_comparisons SET attempted_at = attempted_at - interval '25 hours'`);
    await backfill();
    expect((await attempts()).map(({ compared }) => compared)).toEqual([true, true]);
    expect((await downloadNamed(damaged.id)).status).toBe(200);
  });

  it('are all compared after the server was killed in the middle', async () => {
    for (let n = 0; n < 5; n++) {
      const { name } = await createChannel(app, { name: `channel-${n}` });
      await signed({ 'index.html': `${n}`, 'de.json': `${n % 2}`, 'fr.json': '1' }, name);
    }
    const expected = [await manifests(), await reuses()];
    await forget();
    // As far as a killed run has come: one is done, one was begun.
    const [one, other] = await site.query<{ id: string }>('SELECT id FROM bundles ORDER BY id DESC LIMIT 2');
    await backfill();
    await site.query('DELETE FROM plain_manifests WHERE bundle_id <> $1', [one?.id]);
    await site.query('DELETE FROM manifest_comparisons WHERE bundle_id NOT IN ($1, $2)', [
      one?.id,
      other?.id,
    ]);
    await site.query(
      `UPDATE manifest_comparisons SET compared = false, attempted_at = now() - interval '2 days' WHERE bundle_id = $1`,
      [other?.id],
    );
    await backfill();
    expect([await manifests(), await reuses()]).toEqual(expected);
  });
});

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
    await backfill();
    expect(await site.query('SELECT id FROM blobs WHERE damaged_at IS NOT NULL')).toEqual([]);
    expect((await downloadNamed(id)).body.toString()).toBe(before.body.toString());
  });
});

describe('manifests of deleted bundles', () => {
  const days = (count: number) =>
    site.query(`UPDATE plain_manifests SET unneeded_since = unneeded_since - $1 * interval '1 day'`, [count]);

  it('stay until no device has run the bundle for as long as devices count', async () => {
    const { id } = await signed(FIRST);
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

  it('are at most 1,000 of an app, the newest builds', async () => {
    await site.query(
      `INSERT INTO plain_manifests (bundle_id, app_id, build_number, offered, files)
       SELECT gen_random_uuid(), $1, number, false, '\\x8b00805b5d03' FROM generate_series(1, 1005) AS number`,
      [app.id],
    );
    const { id } = await signed(FIRST);
    const kept = await site.query<{ number: number }>(
      'SELECT build_number AS number FROM plain_manifests WHERE bundle_id <> $1 ORDER BY 1',
      [id],
    );
    expect([kept.length, kept[0]?.number]).toEqual([1000, 6]);
  });
});
