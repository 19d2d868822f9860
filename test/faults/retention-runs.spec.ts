import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createDeployment } from '../builders/deployment.js';
import { checkForUpdate } from '../builders/device.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { uploadBundle } from '../builders/publication.js';
import { eventually } from '../support/eventually.js';
import { expectIntegrity } from '../support/live-updates/integrity.js';
import {
  expectRunsEnded,
  killRetention,
  passDays,
  reasons,
  requestRuns,
  retainedBundles,
  retainOnServer,
  runRetention,
} from '../support/live-updates/retention.js';
import * as bundles from '../support/live-updates/uploads.js';
import { auditEvents } from '../support/organizations/audit-log.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start();
  tenant = await createTenant(site);
});
afterAll(() => site.dispose());
beforeEach(async () => {
  app = await createApp(tenant);
  await app.api.patch(app.path, { bundleRetentionCount: 1 });
});

/** Bundles with bytes, deployed one after the other. */
async function upload(count: number): Promise<TestBundle[]> {
  const uploaded: TestBundle[] = [];
  for (let i = 0; i < count; i++) uploaded.push(await uploadBundle(app));
  return uploaded;
}
const ids = (all: readonly TestBundle[]): string[] => all.map(({ id }) => id);
const left = async (): Promise<string[]> => Object.keys(await reasons(app)).sort();
const age = (table: string, column: string, where: string, id: string) =>
  site.query(`UPDATE ${table} SET ${column} = ${column} - interval '8 days' WHERE ${where} = $1`, [id]);

it('deletes what nothing needs after the grace period, with its bytes, and records it in the audit log', async () => {
  const all = await upload(4);
  await retainOnServer(site);
  expect(await left()).toEqual(ids(all));
  await passDays(site, 6.9);
  await retainOnServer(site);
  expect(await left()).toEqual(ids(all));

  await passDays(site, 0.2);
  const before = await site.objects();
  expect((await runRetention(site))[0]).toMatch(/^Deleted 2 bundles that nothing needs/);
  expect(await left()).toEqual(ids(all.slice(2)));
  const builds = all.slice(0, 2).map(({ buildId }) => buildId);
  const events = (await auditEvents(tenant, 'objectType=build')).filter(({ action }) => action === 'deleted');
  expect(events).toMatchObject(builds.map((id) => ({ object: { id }, actor: null })));

  // The bytes have a grace period of their own.
  expect(await site.objects()).toEqual(before);
  await passDays(site, 8);
  expect((await runRetention(site))[1]).toMatch(/^and 2 stored files of \d+ bytes/);
  await site.expectTidy();
  await expectIntegrity(site);
});

it('deletes what has expired a day later, unless a device runs it, also in apps that keep all bundles', async () => {
  await app.api.patch(app.path, { bundleRetentionCount: null });
  const [fresh, expired, running, held] = await upload(4);
  const expire = (bundle: TestBundle | undefined, hours: number) =>
    site.query(`UPDATE bundles SET expires_at = now() - $2 * interval '1 hour' WHERE id = $1`, [
      bundle?.id,
      hours,
    ]);
  await checkForUpdate(app, { deviceId: 'tablet', bundleId: running?.id ?? '' });
  await app.api.put(`${app.path}/bundles/${held?.id}/legal-hold`, { reason: 'Case' });
  await app.api.get(`${app.path}/devices`);
  await expire(fresh, 23);
  for (const bundle of [expired, running, held]) await expire(bundle, 25);
  await site.query(`UPDATE devices SET deployment_id = NULL WHERE app_id = $1`, [app.id]);
  await retainOnServer(site);
  expect(await left()).toEqual(ids([fresh, running, held] as TestBundle[]));
  await site.query(`UPDATE devices SET last_seen_at = now() - interval '91 days' WHERE app_id = $1`, [
    app.id,
  ]);
  await retainOnServer(site);
  expect(await left()).toEqual(ids([fresh, held] as TestBundle[]));
});

it('gives a device nothing older than an expired bundle that was deleted while it was away', async () => {
  await app.api.patch(app.path, { bundleRetentionCount: null });
  const [oldest, older, expired] = await upload(3);
  const offer = async (bundleId: string | undefined) =>
    (await checkForUpdate(app, { bundleId: bundleId ?? '' })).body as { bundleId?: string };
  const rows = () =>
    site.query('SELECT bundle_id AS id FROM retired_deployments WHERE app_id = $1', [app.id]);
  await site.query(`UPDATE bundles SET expires_at = now() - interval '25 hours' WHERE id = $1`, [
    expired?.id,
  ]);
  await retainOnServer(site);
  expect(await left()).toEqual(ids([oldest, older] as TestBundle[]));
  expect(await rows()).toEqual([{ id: expired?.id }]);
  expect(await offer(expired?.id)).not.toHaveProperty('bundleId');
  expect(await offer('')).toMatchObject({ bundleId: older?.id });
  expect(await offer(oldest?.id)).toMatchObject({ bundleId: older?.id });
  const newer = await uploadBundle(app);
  expect(await offer(expired?.id)).toMatchObject({ bundleId: newer.id });
  // Nothing older is left then, so nothing has to be remembered.
  for (const bundle of [oldest, older]) await app.api.delete(`${app.path}/bundles/${bundle?.id}`);
  const another = await uploadBundle(app);
  await site.query(`UPDATE bundles SET expires_at = now() - interval '25 hours' WHERE id = $1`, [another.id]);
  await retainOnServer(site);
  expect(await rows()).toEqual([{ id: another.id }]);
  await app.api.delete(app.path);
  expect(await rows()).toEqual([]);
});

it('keeps for a whole grace period again what was needed meanwhile', async () => {
  const all = await upload(4);
  await retainOnServer(site);
  await passDays(site, 8);
  await createDeployment(app, { appBuildId: all[0]?.buildId });
  await retainOnServer(site);
  expect(await left()).toEqual(ids([all[0], all[2], all[3]] as TestBundle[]));
  for (const { buildId } of all.slice(2)) await createDeployment(app, { appBuildId: buildId });
  const [again] = await retainedBundles(app, 'status=expiring');
  expect(again).toMatchObject({ appBundleId: all[0]?.id });
  await retainOnServer(site);
  expect(await left()).toHaveLength(3);
  // The checks of the others count one deployment for each bundle.
  await app.api.delete(app.path);
});

it('forgets what it has found when retention is switched off', async () => {
  const all = await upload(3);
  await retainOnServer(site);
  await passDays(site, 8);
  await app.api.patch(app.path, { bundleRetentionCount: null });
  await retainOnServer(site);
  await app.api.patch(app.path, { bundleRetentionCount: 1 });
  await retainOnServer(site);
  expect(await left()).toEqual(ids(all));
});

it('keeps what is under legal hold though it is due', async () => {
  const all = await upload(3);
  await retainOnServer(site);
  await passDays(site, 8);
  await app.api.put(`${app.path}/bundles/${all[0]?.id}/legal-hold`, { reason: 'Case 118' });
  await retainOnServer(site);
  expect(await left()).toEqual(ids(all));
});

it('only reports what it would do with --dry-run, and looks at one app with --app', async () => {
  const all = await upload(3);
  const lines = await runRetention(site, ['--dry-run', '--app', app.id]);
  expect(lines[0]).toMatch(
    new RegExp(`^bundle ${all[0]?.id} \\(build 1, \\d+ bytes\\) of app ${app.id}: not needed`),
  );
  expect(lines[1]).toMatch(/^Found 1 bundles that nothing needs/);
  expect(lines.at(-1)).toMatch(/^Deleting the bundles would free [1-9]\d* bytes/);
  expect(
    await site.query(
      'SELECT FROM bundle_expirations JOIN bundles ON bundles.id = bundle_id WHERE app_id = $1',
      [app.id],
    ),
  ).toEqual([]);
  const other = await createApp(tenant);
  await runRetention(site, ['--app', other.id], { DELETION_GRACE_DAYS: '0' });
  expect(await left()).toEqual(ids(all));
  await expect(runRetention(site, ['--app', 'shop'])).rejects.toThrow('--app must be the id of an app.');
});

it('deletes uploads that were left alone, with their parts, and none that go on', async () => {
  const pending = await createBundle(app);
  const held = await createBundle(app);
  await app.api.put(`${app.path}/bundles/${held.id}/legal-hold`, { reason: 'Case 118' });
  const active = await createBundle(app);
  const [old, young] = [
    await bundles.announce(active, 'abc', { href: 'a' }),
    await bundles.announce(active, 'abc', { href: 'b' }),
  ];
  const uploads = [
    await bundles.beginUpload(app.api, old),
    await bundles.beginUpload(app.api, young),
  ] as const;
  await bundles.putPart(app.api, old, uploads[0], 1, 'abc');
  await age('upload_parts', 'created_at', 'upload_id', uploads[0]);
  for (const id of uploads) await age('uploads', 'created_at', 'id', id);
  for (const id of uploads) await age('uploads', 'updated_at', 'id', id);
  const part = await bundles.putPart(app.api, young, uploads[1], 1, 'abc');
  const parts = [part.body as { etag: string; partNumber: number }];
  for (const { id } of [pending, held, active]) {
    await age('build_artifacts', 'updated_at', 'id', id);
    await age('bundle_files', 'updated_at', 'bundle_id', id);
  }
  expect((await runRetention(site))[0]).toContain('1 unpublished bundles and 1 unfinished uploads');
  expect((await app.api.patch(`${app.path}/bundles/${pending.id}`, {})).status).toBe(404);
  expect((await app.api.patch(`${app.path}/bundles/${held.id}`, {})).status).toBe(200);
  expect((await bundles.completeUpload(app.api, old, uploads[0], parts)).status).toBe(404);
  expect((await bundles.completeUpload(app.api, young, uploads[1], parts)).status).toBe(200);
  await site.expectTidy();
});

it('removes the parts of an upload whose app is deleted', async () => {
  const active = await createBundle(app);
  const file = await bundles.announce(active, 'abc', { href: 'a' });
  await bundles.putPart(app.api, file, await bundles.beginUpload(app.api, file), 1, 'abc');
  expect((await app.api.delete(app.path)).status).toBe(204);
  await retainOnServer(site);
  await site.expectTidy();
});

it('finds a blob again that is uploaded after it was marked', async () => {
  const content = randomBytes(1000);
  const first = await createBundle(app);
  await bundles.postFile(first, content, { href: 'a' });
  expect((await app.api.delete(first.path)).status).toBe(204);
  await retainOnServer(site);
  await passDays(site, 8);
  const second = await createBundle(app);
  await bundles.postFile(second, content, { href: 'a' });
  await retainOnServer(site);
  await expectIntegrity(site);
  expect(
    await site.query('SELECT FROM blobs WHERE size_in_bytes = 1000 AND unreferenced_since IS NULL'),
  ).toHaveLength(1);
});

/** Holds a lock as a request that has not ended yet would, while something else is done. */
async function whileLocked(lock: string, id: string | undefined, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: site.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(lock, [id]);
    await work();
  } finally {
    await client.end();
  }
}

it('leaves alone what a transaction is about to deploy', async () => {
  const all = await upload(3);
  await retainOnServer(site);
  await passDays(site, 8);
  await whileLocked('SELECT FROM builds WHERE id = $1 FOR KEY SHARE', all[0]?.buildId, async () => {
    await retainOnServer(site);
    expect(await left()).toEqual(ids(all));
  });
  await retainOnServer(site);
  expect(await left()).toEqual(ids(all.slice(1)));
});

it('keeps what was deployed after it had found it to be due', async () => {
  const all = await upload(4);
  await retainOnServer(site);
  await passDays(site, 8);
  // The deletion of the first one waits for this, when both have been found.
  const lock = 'SELECT FROM deployments WHERE build_id = $1 FOR UPDATE';
  await whileLocked(lock, all[0]?.buildId, async () => {
    await requestRuns(site, 1);
    await eventually(async () => {
      const waiting = await site.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM "builds"%'`,
      );
      expect(waiting).toHaveLength(1);
    });
    await createDeployment(app, { appBuildId: all[1]?.buildId });
  });
  await expectRunsEnded(site);
  expect(await left()).toEqual(ids(all.slice(1)));
  expect((await checkForUpdate(app, {})).body).toMatchObject({ bundleId: all[1]?.id });
  await app.api.delete(app.path);
});

it('leaves alone the bytes that a transaction is about to use', async () => {
  const [bundle] = await upload(1);
  const [blob] = await site.query<{ id: string }>('SELECT blob_id AS id FROM build_artifacts WHERE id = $1', [
    bundle?.id,
  ]);
  expect((await app.api.delete(`${app.path}/bundles/${bundle?.id}`)).status).toBe(204);
  await retainOnServer(site);
  await passDays(site, 8);
  const isThere = async () => (await site.query('SELECT FROM blobs WHERE id = $1', [blob?.id])).length > 0;
  await whileLocked('SELECT FROM blobs WHERE id = $1 FOR KEY SHARE', blob?.id, async () => {
    await retainOnServer(site);
    expect(await isThere()).toBe(true);
  });
  await retainOnServer(site);
  expect(await isThere()).toBe(false);
});

it('goes on after it was killed in the middle, and may run twice at once', async () => {
  await upload(15);
  const count = async (table: string): Promise<number> =>
    (await site.query<{ count: number }>(`SELECT count(*)::int FROM ${table}`))[0]?.count ?? 0;
  for (const table of ['bundles', 'blobs']) {
    const before = await count(table);
    await killRetention(site, async () => (await count(table)) < before);
    await expectIntegrity(site);
  }
  await Promise.all([1, 2].map(() => runRetention(site, [], { DELETION_GRACE_DAYS: '0' })));
  expect(await left()).toHaveLength(2);
  await expectIntegrity(site);
  await site.expectTidy();
  expect(await count('deleted_objects')).toBe(0);
  expect((await checkForUpdate(app, {})).status).toBe(200);
});

it('goes on with other apps, uploads and stored files when the bundles of an app cannot be deleted', async () => {
  const broken = app;
  await upload(3);
  app = await createApp(tenant);
  await app.api.patch(app.path, { bundleRetentionCount: 1 });
  await upload(3);
  const abandoned = await createBundle(app);
  await age('build_artifacts', 'updated_at', 'id', abandoned.id);
  await retainOnServer(site);
  await passDays(site, 8);
  await site.query(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full'; END $$;
     CREATE TRIGGER fail BEFORE DELETE ON builds FOR EACH ROW WHEN (OLD.app_id = '${broken.id}') EXECUTE FUNCTION fail()`,
  );
  await expect(runRetention(site)).rejects.toThrow('disk full');
  await site.query('DROP FUNCTION fail CASCADE');
  expect(await left()).toHaveLength(2);
  expect(Object.keys(await reasons(broken))).toHaveLength(3);
  expect(await site.query('SELECT FROM bundles WHERE id = $1', [abandoned.id])).toEqual([]);
  await runRetention(site);
  expect(Object.keys(await reasons(broken))).toHaveLength(2);
});
