import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { linesOf, readJob } from '../support/jobs/leases.js';
import { beginUpload, completeUpload, putPart } from '../support/live-updates/uploads.js';
import { makeApk } from '../support/native-builds/apk-writer.js';
import {
  endOfImport,
  importFile,
  pathOfImport,
  startImport,
  type TestImport,
  uploadImport,
} from '../support/native-builds/imports.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { freePort } from '../setup/free-port.js';
import { OwnSite } from '../support/servers/own-site.js';
import { runQueue } from '../support/servers/run-queue.js';

/** The first statement of a run outside of a transaction: what waits for its answer has no locks. */
const FIRST_STATEMENT = '"Build"."job_id" = $2';
/** A lost process is found within two minutes. */
const PATIENCE = 180_000;

let site: OwnSite;
let proxy: DatabaseProxy;
let app: TestApp;
let apk: Buffer;

beforeAll(async () => {
  const port = String(await freePort());
  site = await OwnSite.start(
    { PORT: port, QUEUE_POLL_SECONDS: '1', JOB_LEASE_SECONDS: '3' },
    async (url) => (proxy = await DatabaseProxy.start(url)).url,
  );
  app = await createApp(await createTenant(site));
  apk = await makeApk({ packageName: 'com.example.shop' });
});
afterAll(async () => {
  await site.dispose();
  await proxy.stop().catch(() => undefined);
});

/** Uploads a file, and keeps the run of its job waiting for the database. */
async function holdRun(): Promise<TestImport> {
  const started = await startImport(app, apk);
  const held = proxy.holdNext(FIRST_STATEMENT);
  expect((await uploadImport(app, started, apk)).status).toBe(200);
  await held;
  expect(await readJob(app, started.jobId)).toMatchObject({ status: 'in_progress', jobLogs: [] });
  return started;
}

const stateInQueue = async ({ jobId }: TestImport): Promise<string | undefined> =>
  (
    await site.query<{ state: string }>(
      `SELECT state FROM queue.job WHERE name = 'imports' AND data->>'jobId' = $1`,
      [jobId],
    )
  )[0]?.state;

/** Waits until no worker has the job of an import. */
const leftByQueue = (started: TestImport): Promise<void> =>
  eventually(async () => expect((await stateInQueue(started)) ?? 'none').not.toMatch(/active|retry|created/));

/** As the queue does with a job whose process has died. */
const repeat = ({ jobId }: TestImport): Promise<unknown> =>
  site.query(
    `UPDATE queue.job SET state = 'retry', start_after = now() WHERE name = 'imports' AND data->>'jobId' = $1`,
    [jobId],
  );

const artifactsOf = async ({ id }: TestImport): Promise<unknown> =>
  (
    (await app.api.get(`${app.path}/builds/${id}?relations=appBuildArtifacts`)).body as Record<
      string,
      unknown
    >
  )['appBuildArtifacts'];

describe('an import', () => {
  afterEach(() => site.expectTidy());

  it('stays canceled, with nothing published, when its run goes on', async () => {
    const started = await holdRun();
    const canceled = await app.api.patch(`/v1/jobs/${started.jobId}`, { status: 'canceled' });
    expect(canceled.status).toBe(200);
    proxy.release();
    await leftByQueue(started);
    const job = await readJob(app, started.jobId);
    expect(job.status).toBe('canceled');
    expect(linesOf(job)).toEqual(['The job was canceled.']);
    expect(await artifactsOf(started)).toEqual([]);
  });

  it('times out, and stays so when its run goes on', async () => {
    const started = await holdRun();
    // The run knows when it started, and nothing of this.
    await site.query('UPDATE jobs SET timeout_seconds = 60 WHERE id = $1', [started.jobId]);
    await site.query(`UPDATE jobs SET in_progress_at = in_progress_at - interval '1 hour' WHERE id = $1`, [
      started.jobId,
    ]);
    const job = await endOfImport(app, started, PATIENCE);
    expect(job).toMatchObject({
      status: 'timed_out',
      statusMessage: 'The job has run for longer than a minute.',
    });
    proxy.release();
    await leftByQueue(started);
    expect(await readJob(app, started.jobId)).toEqual(job);
    expect(await artifactsOf(started)).toEqual([]);
  });

  it('is ended once when a second run takes it over, and the first one is still there', async () => {
    const started = await holdRun();
    await repeat(started);
    const job = await endOfImport(app, started);
    expect(job.status).toBe('succeeded');
    expect(linesOf(job)[0]).toBe('The server was stopped. What it was doing is repeated.');
    expect(linesOf(job).filter((line) => line.startsWith('Package: '))).toHaveLength(1);
    proxy.release();
    await leftByQueue(started);
    expect(await readJob(app, started.jobId)).toEqual(job);
    expect(await artifactsOf(started)).toMatchObject([{ status: 'ready' }]);
  });

  it('goes away with its app while it runs', async () => {
    const other = app;
    app = await createApp(app.tenant);
    const started = await holdRun();
    expect((await app.api.delete(app.path)).status).toBe(204);
    proxy.release();
    await leftByQueue(started);
    expect(await site.query('SELECT FROM jobs WHERE id = $1', [started.jobId])).toEqual([]);
    app = other;
  });

  it('begins again when the database was away', async () => {
    const started = await holdRun();
    await proxy.stop();
    proxy.release();
    await proxy.resume();
    // The queue cannot note the failure, either: later, it finds the job as that of a lost process.
    await repeat(started);
    const job = await endOfImport(app, started, PATIENCE);
    expect(job.status).toBe('succeeded');
    expect(await artifactsOf(started)).toMatchObject([{ status: 'ready' }]);
  });

  it('begins again when its server was killed', async () => {
    const started = await holdRun();
    await site.server.kill();
    proxy.release();
    await site.restart();
    const job = await endOfImport(app, started, PATIENCE);
    expect(job.status).toBe('succeeded');
    expect(linesOf(job)[0]).toBe('The server was stopped. What it was doing is repeated.');
    expect(await artifactsOf(started)).toMatchObject([{ status: 'ready' }]);
  });

  it('is tried again while the file cannot be read, and then fails with a reason', async () => {
    await site.query(`UPDATE queue.queue SET retry_delay = 1, retry_delay_max = 1 WHERE name = 'imports'`);
    const started = await startImport(app, apk);
    const held = proxy.holdNext(FIRST_STATEMENT);
    await uploadImport(app, started, apk);
    await held;
    const [artifact] = await site.query<{ id: string }>(
      'SELECT blob_id AS id FROM build_artifacts WHERE id = $1',
      [started.appBuildArtifactId],
    );
    const path = site.pathOf(artifact!.id);
    await rename(path, `${path}-away`);
    proxy.release();
    await eventually(async () =>
      expect(linesOf(await readJob(app, started.jobId))).toContain(
        'The server has failed. What it was doing is repeated.',
      ),
    );
    const job = await endOfImport(app, started, PATIENCE);
    const reason = 'The server failed several times to read the file. Import it again.';
    expect(job).toMatchObject({ status: 'failed', statusMessage: reason });
    expect(linesOf(job).at(-1)).toBe(reason);
    expect(await artifactsOf(started)).toEqual([]);
    await rename(`${path}-away`, path);
  });

  it('ends when its upload is not complete after a day', async () => {
    const late = await startImport(app, apk);
    const recent = await startImport(app, apk);
    const done = await importFile(app, apk);
    const age = (hours: number, { jobId }: TestImport) =>
      site.query('UPDATE jobs SET created_at = now() - make_interval(hours => $2) WHERE id = $1', [
        jobId,
        hours,
      ]);
    await age(25, late);
    await age(23, recent);
    await age(25, done);
    await runQueue(site, 'import-deadline');
    const reason = 'The upload was not completed within 24 hours.';
    const job = await readJob(app, late.jobId);
    expect(job).toMatchObject({ status: 'failed', statusMessage: reason });
    expect(linesOf(job)[0]).toBe(reason);
    expect(await artifactsOf(late)).toEqual([]);
    const begun = await app.api.post(`${pathOfImport(app, late)}/upload?action=mpu-create`, {});
    expect(begun.body).toMatchObject({
      code: 'import_ended',
      message: expect.stringContaining(reason) as string,
    });
    expect((await readJob(app, recent.jobId)).status).toBe('queued');
    expect((await readJob(app, done.jobId)).status).toBe('succeeded');
  });
});

// What is left of parts goes with the cleaning of every night.
it('is complete or canceled, and nothing in between, when both happen at once', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const started = await startImport(app, apk);
    const path = pathOfImport(app, started);
    const uploadId = await beginUpload(app.api, path);
    const part = await putPart(app.api, path, uploadId, 1, apk);
    const [completed, canceled] = await Promise.all([
      completeUpload(app.api, path, uploadId, [part.body]),
      sleep(8 * round).then(() => app.api.patch(`/v1/jobs/${started.jobId}`, { status: 'canceled' })),
    ]);
    const { status } = await endOfImport(app, started);
    outcomes.add(status);
    expect([canceled.status, status]).toEqual(
      canceled.status === 200 ? [200, 'canceled'] : [400, 'succeeded'],
    );
    expect([200, 404, 409]).toContain(completed.status);
    expect(await artifactsOf(started)).toHaveLength(status === 'succeeded' ? 1 : 0);
    await leftByQueue(started);
  }
  expect(outcomes).toContain('canceled');
});
