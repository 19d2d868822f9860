import { randomBytes } from 'node:crypto';
import { createApp, type TestApp } from '../builders/app.js';
import { createDeployment } from '../builders/deployment.js';
import { checkForUpdate } from '../builders/device.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { zipOf } from '../support/live-updates/archives.js';
import { passDays, retainOnServer } from '../support/live-updates/retention.js';
import { beginUpload, putPart } from '../support/live-updates/uploads.js';
import {
  finishJob,
  startBuild,
  takeJob,
  type TestBuild,
  uploadArtifact,
} from '../support/native-builds/leases.js';
import { makeApk } from '../support/native-builds/apk-writer.js';
import { announceSource, uploadSource } from '../support/native-builds/sources.js';
import { auditEvents } from '../support/organizations/audit-log.js';
import { OwnSite } from '../support/servers/own-site.js';
import { runQueue } from '../support/servers/run-queue.js';

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ BUILD_SOURCE_RETENTION_DAYS: '20', BUILD_ARTIFACT_RETENTION_DAYS: '50' });
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

/** What the server does each day. */
const retain = (): Promise<void> => runQueue(site, 'build-retention');
const ageBy = (table: 'build_sources' | 'build_artifacts', id: string, days: number): Promise<unknown> =>
  site.query(
    `UPDATE ${table} SET created_at = created_at - d, updated_at = updated_at - d
       FROM make_interval(days => $2) AS d WHERE id = $1`,
    [id, days],
  );
const existing = async (table: 'build_sources' | 'build_artifacts', ids: string[]): Promise<boolean[]> => {
  const rows = await site.query<{ id: string }>(`SELECT id FROM ${table}`);
  return ids.map((id) => rows.some((row) => row.id === id));
};

/** A source of bytes of its own, uploaded so many days ago. */
async function source(days: number, of = app): Promise<string> {
  const id = await uploadSource(of, { 'package.json': '{}', 'noise.txt': randomBytes(50).toString('hex') });
  await ageBy('build_sources', id, days);
  return id;
}

/** An apk of bytes of its own. */
const randomApk = (): Promise<Buffer> => makeApk({ entries: { 'assets/noise.bin': randomBytes(50) } });

interface Built extends TestBuild {
  readonly artifactId: string;
}

/** A build that has succeeded, with one artifact, made so many days ago from a new source. */
async function built(platform: 'android' | 'web', days: number, of = app): Promise<Built> {
  const build = await startBuild(of, { platform, appBuildSourceId: await source(0, of) });
  const lease = await takeJob(build.jobId, site);
  const bytes = platform === 'web' ? await zipOf({ 'index.html': randomBytes(50) }) : await randomApk();
  const type = platform === 'web' ? 'zip' : 'apk';
  const { id: artifactId, completed } = await uploadArtifact(lease, bytes, { type });
  expect(completed.status).toBe(200);
  expect((await finishJob(lease)).status).toBe(200);
  await ageBy('build_artifacts', artifactId, days);
  return { ...build, artifactId };
}

describe('a source', () => {
  it('goes when its time is over, as the app says, else the server; builds stay', async () => {
    const short = await createApp(app.tenant);
    const long = await createApp(app.tenant);
    expect((await app.api.patch(short.path, { buildSourceRetentionDays: 3 })).status).toBe(200);
    expect((await app.api.patch(long.path, { buildSourceRetentionDays: 100 })).status).toBe(200);
    const gone = [await source(21), await source(4, short), await source(101, long)];
    const kept = [await source(19), await source(2, short), await source(99, long)];
    const [old = ''] = gone;
    const build = await startBuild(app, { appBuildSourceId: old });
    expect((await app.api.patch(`/v1/jobs/${build.jobId}`, { status: 'canceled' })).status).toBe(200);
    await retain();
    expect(await existing('build_sources', [...gone, ...kept])).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    const { body } = await app.api.get(`${app.path}/builds/${build.id}?relations=job`);
    expect(body).toMatchObject({ appBuildSourceId: null, job: { status: 'canceled' } });
    const path = `${app.path}/build-sources/${old}`;
    expect((await app.api.get(path)).status).toBe(404);
    expect((await app.api.get(`${path}/download`)).status).toBe(404);
    const again = await app.api.post(`${app.path}/builds`, { platform: 'web', appBuildSourceId: old });
    expect(again.status).toBe(404);

    // An app that says nothing again has the setting of the server.
    await app.api.patch(long.path, { buildSourceRetentionDays: null });
    await retain();
    expect(await existing('build_sources', kept)).toEqual([true, true, false]);

    // The bytes have a grace period of their own. The log of the canceled job is an object, too.
    await eventually(async () => expect(await site.objects()).toHaveLength(7));
    await retainOnServer(site);
    expect(await site.objects()).toHaveLength(7);
    await passDays(site, 8);
    await retainOnServer(site);
    expect(await site.objects()).toHaveLength(3);
    await site.expectTidy();
    const left = await app.api.request('get', `${app.path}/build-sources/${kept[0]}/download`);
    expect(left.status).toBe(200);
  });

  it('stays while a job needs it: queued, running, and until the last one has ended', async () => {
    const id = await source(400);
    const builds = [
      await startBuild(app, { appBuildSourceId: id }),
      await startBuild(app, { appBuildSourceId: id }),
    ] as const;
    await retain();
    expect(await existing('build_sources', [id])).toEqual([true]);
    const lease = await takeJob(builds[0].jobId, site);
    await retain();
    const download = await lease.api.request('get', '/v1/runner/job/source');
    expect(download.status).toBe(200);
    expect((await finishJob(lease, 'failed')).status).toBe(200);
    await retain();
    expect(await existing('build_sources', [id])).toEqual([true]);
    expect((await app.api.patch(`/v1/jobs/${builds[1].jobId}`, { status: 'canceled' })).status).toBe(200);
    await retain();
    expect(await existing('build_sources', [id])).toEqual([false]);
  });

  it('that was never uploaded completely goes after seven days, with its parts', async () => {
    const begin = async (days: number): Promise<string> => {
      const path = await announceSource(app, 6_000_000);
      const uploadId = await beginUpload(app.api, path);
      expect((await putPart(app.api, path, uploadId, 1, randomBytes(1000))).status).toBe(200);
      const id = path.slice(path.lastIndexOf('/') + 1);
      await ageBy('build_sources', id, days);
      return id;
    };
    const [left, young] = [await begin(8), await begin(6)];
    // The setting of the app is about sources that are there.
    await app.api.patch(app.path, { buildSourceRetentionDays: 100 });
    expect(await site.objects()).toHaveLength(2);
    await retain();
    expect(await existing('build_sources', [left, young])).toEqual([false, true]);
    await retainOnServer(site);
    expect(await site.objects()).toHaveLength(1);
    await site.expectTidy();
  });

  it('that a new build uses at the same moment stays, or the build is refused', async () => {
    const outcomes = new Set<number>();
    for (let round = 0; round < 6; round++) {
      const sources = await Promise.all(Array.from({ length: 10 }, () => source(400)));
      const [responses] = await Promise.all([
        Promise.all(
          sources.map((appBuildSourceId) =>
            app.api.post(`${app.path}/builds`, { platform: 'web', appBuildSourceId }),
          ),
        ),
        retain(),
      ]);
      const left = await existing('build_sources', sources);
      for (const [index, { status }] of responses.entries()) {
        outcomes.add(status);
        expect([index, left[index]]).toEqual([index, status === 201]);
      }
    }
    expect([...outcomes].filter((status) => status !== 201 && status !== 404)).toEqual([]);
  });
});

describe('an artifact', () => {
  it('of a native build goes when its time is over; that of a web build is a bundle and stays', async () => {
    const short = await createApp(app.tenant);
    expect((await app.api.patch(short.path, { buildArtifactRetentionDays: 2 })).status).toBe(200);
    const old = await built('android', 51);
    const young = await built('android', 49);
    const shortOld = await built('android', 3, short);
    const shortYoung = await built('android', 1, short);
    const web = await built('web', 3650, short);
    const deployed = await built('web', 3650);
    await createDeployment(app, { appBuildId: deployed.id, appChannelId: app.defaultChannelId });
    const held = await built('web', 3650);
    const hold = await app.api.put(`${app.path}/bundles/${held.artifactId}/legal-hold`, { reason: 'Case 7' });
    expect(hold.status).toBe(200);
    const all = [old, young, shortOld, shortYoung, web, deployed, held];
    const artifacts = all.map(({ artifactId }) => artifactId);
    await retain();
    expect(await existing('build_artifacts', artifacts)).toEqual([
      false,
      true,
      false,
      true,
      true,
      true,
      true,
    ]);

    const { body } = await app.api.get(`${app.path}/builds/${old.id}?relations=job,appBuildArtifacts`);
    expect(body).toMatchObject({ appBuildArtifacts: [], job: { status: 'succeeded' } });
    const path = `${app.path}/builds/${old.id}/artifacts/${old.artifactId}/download`;
    expect((await app.api.get(path)).status).toBe(404);
    const deleted = (await auditEvents(app.tenant, 'action=deleted')).filter(({ object }) =>
      artifacts.includes(object.id),
    );
    expect(deleted.map(({ object, actor }) => [object.id, actor]).sort()).toEqual([
      [old.artifactId, null],
      [shortOld.artifactId, null],
    ]);

    // The objects of both go after the grace period; devices still get what is deployed.
    const before = await site.objects();
    await retainOnServer(site);
    expect(await site.objects()).toEqual(before);
    await passDays(site, 8);
    await retainOnServer(site);
    expect(before.length - (await site.objects()).length).toBe(2);
    await site.expectTidy();
    await eventually(async () =>
      expect((await checkForUpdate(app, {})).body).toMatchObject({ bundleId: deployed.artifactId }),
    );
  });

  it('that is still being made is not touched', async () => {
    const build = await startBuild(app, { platform: 'android', appBuildSourceId: await source(0) });
    const lease = await takeJob(build.jobId, site);
    const { id, completed } = await uploadArtifact(lease, await randomApk(), { type: 'apk' });
    expect(completed.status).toBe(200);
    await ageBy('build_artifacts', id, 3650);
    await retain();
    expect(await existing('build_artifacts', [id])).toEqual([true]);
    expect((await finishJob(lease)).status).toBe(200);
    expect(await existing('build_artifacts', [id])).toEqual([true]);
  });
});

it('works through more rows than one transaction deletes', async () => {
  const id = await source(400);
  await site.query(
    `INSERT INTO build_sources (id, app_id, status, size_in_bytes, blob_id, created_at, updated_at)
     SELECT gen_random_uuid(), app_id, status, size_in_bytes, blob_id, created_at, updated_at
       FROM build_sources CROSS JOIN generate_series(1, 1200) WHERE id = $1`,
    [id],
  );
  const fresh = await source(1);
  await retain();
  expect(await site.query('SELECT id FROM build_sources')).toEqual([{ id: fresh }]);
});
