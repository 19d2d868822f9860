import { createApp, type TestApp } from '../builders/app.js';
import { createChannel, type TestChannel } from '../builders/channel.js';
import { createTenant } from '../builders/identities.js';
import { seed } from '../setup/depth.js';
import type { ServerProcess } from '../setup/server.js';
import { RandomReleases } from '../support/live-updates/random-release-work.js';
import {
  expectRunsEnded,
  requestRuns,
  runRetention,
  scrubStorage,
} from '../support/live-updates/retention.js';
import { OwnSite } from '../support/servers/own-site.js';
import { sha256 } from '../support/sha256.js';

const CLIENTS = 6;
const STEPS = 25;

let site: OwnSite;
let other: ServerProcess;
let app: TestApp;
let channels: TestChannel[];

beforeAll(async () => {
  site = await OwnSite.start({ DELETION_GRACE_DAYS: '0' });
  other = await OwnSite.beside(site);
  app = await createApp(await createTenant(site), {});
  await app.api.patch(app.path, { bundleRetentionCount: 2 });
  channels = [await createChannel(app), await createChannel(app, { bundleRetentionCount: 1 })];
});
afterAll(async () => {
  await other.kill();
  await site.dispose();
});

/** Every blob has its bytes, and every ready bundle its files. */
async function expectWhole(): Promise<void> {
  const blobs = await site.query<{ id: string; sha256: string }>('SELECT id, sha256 FROM blobs');
  for (const { id, sha256: expected } of blobs) expect(sha256(await site.read(id))).toBe(expected);
  const incomplete = await site.query(
    `SELECT artifact.id FROM build_artifacts AS artifact JOIN bundle_files AS file ON file.bundle_id = artifact.id
      WHERE artifact.status = 'ready' AND (file.blob_id IS NULL OR artifact.blob_id IS NULL)`,
  );
  expect(incomplete).toEqual([]);
}

it(`never deletes what is in use, while everything happens at once (--seed=${seed})`, async () => {
  const work = new RandomReleases(app, channels, [site.origin, other.origin], seed);
  // More than there is time for: two servers run it without a pause.
  await requestRuns(site, 2000);
  const clients = Promise.all(Array.from({ length: CLIENTS }, () => work.run(STEPS)));
  // It takes nothing for damage that is being deleted.
  expect((await scrubStorage(site)).at(-1)).toMatch(/: 0 are damaged\.$/);
  await clients;
  const [{ done } = { done: 0 }] = await site.query<{ done: number }>(
    `WITH left_over AS (DELETE FROM queue.job WHERE name = 'retention' AND state = 'created')
     SELECT count(*)::int AS done FROM queue.job WHERE name = 'retention' AND state = 'completed'`,
  );
  await expectRunsEnded(site);
  expect(work.problems).toEqual([]);
  // Otherwise this has shown nothing.
  expect(done).toBeGreaterThan(5);
  expect(await work.vanished()).toBeGreaterThan(0);

  await expectWhole();
  await work.expectAllDelivered();

  await work.deleteAll();
  await runRetention(site, [], { DELETION_GRACE_DAYS: '0' });
  for (const table of ['blobs', 'blob_variants', 'bundle_files', 'upload_parts', 'deleted_objects']) {
    expect(await site.query(`SELECT FROM ${table}`)).toEqual([]);
  }
  expect([await site.objects(), await site.incoming()]).toEqual([[], []]);
});
