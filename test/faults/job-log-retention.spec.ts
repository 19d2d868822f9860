import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { finishJob, linesOf, readJob, sendLog, startJob, type TestLease } from '../support/jobs/leases.js';
import { passDays, retainOnServer } from '../support/live-updates/retention.js';
import { freePort } from '../setup/free-port.js';
import { OwnSite } from '../support/servers/own-site.js';
import { countWaitingFor } from '../support/servers/waiting-for.js';
import { runQueue } from '../support/servers/run-queue.js';

/** Tables of chunks: one a day, used again on the ninth day. */
const TABLES = 8;
let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ PORT: String(await freePort()), JOB_LOG_RETENTION_DAYS: '30' });
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

/** What the server does each hour. */
const retain = (): Promise<void> => runQueue(site, 'job-log-retention');
const linesNow = async ({ jobId }: TestLease): Promise<string[]> => linesOf(await readJob(app, jobId));

/** Adds a line to the log of a job. @returns the bytes of the log */
async function write(lease: TestLease, line: string, offset = 0): Promise<number> {
  expect((await sendLog(lease, offset, `${line}\n`)).status).toBe(202);
  return offset + Buffer.byteLength(line) + 1;
}

async function finish(lease: TestLease, logBytes: number): Promise<void> {
  // The log of one that has failed ends with a summary besides.
  expect((await finishJob(lease, { logBytes, status: 'succeeded' })).status).toBe(200);
}

/** A job that has ended with one line, whose log is in storage. */
async function archived(line: string, of = app): Promise<TestLease> {
  const lease = await startJob(of, {}, site);
  await finish(lease, await write(lease, line));
  await expectArchived(lease);
  return lease;
}

async function expectArchived({ jobId }: TestLease): Promise<void> {
  await eventually(async () => {
    const [log] = await site.query('SELECT blob_id, archived_at FROM job_logs WHERE id = $1', [jobId]);
    expect(log).toEqual({ blob_id: expect.any(String), archived_at: expect.any(Date) });
  });
}

/** The table of so many days ago, by its number. */
async function slotOf(daysAgo: number): Promise<number> {
  const [row] = await site.query<{ slot: number }>(
    `SELECT mod(extract(epoch FROM now())::bigint / 86400 - $1, ${TABLES})::int AS slot`,
    [daysAgo],
  );
  return row?.slot ?? NaN;
}

/** As if the log had begun so many days ago. */
async function beganDaysAgo({ jobId }: TestLease, days: number): Promise<void> {
  const slot = await slotOf(days);
  await site.query('UPDATE job_log_chunks SET slot = $2 WHERE job_id = $1', [jobId, slot]);
  await site.query('UPDATE job_logs SET slot = $2 WHERE id = $1', [jobId, slot]);
}

const endedDaysAgo = ({ jobId }: TestLease, days: number): Promise<unknown> =>
  site.query(
    `UPDATE jobs SET (queued_at, pending_at, in_progress_at, finished_at) =
            (queued_at - d, pending_at - d, in_progress_at - d, finished_at - d)
       FROM make_interval(days => $2) AS d WHERE id = $1`,
    [jobId, days],
  );

const chunksOf = async ({ jobId }: TestLease): Promise<number> =>
  (await site.query('SELECT FROM job_log_chunks WHERE job_id = $1', [jobId])).length;

describe('the tables of chunks', () => {
  it('are emptied from the day after next, and the logs read the same from storage', async () => {
    const leases: TestLease[] = [];
    for (let day = 0; day < TABLES; day++) {
      const lease = await archived(`day ${day}`);
      await beganDaysAgo(lease, day);
      leases.push(lease);
    }
    await retain();
    expect(await Promise.all(leases.map(chunksOf))).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
    for (let day = 2; day < TABLES; day++) {
      // Truncated, not deleted: nothing is left to vacuum.
      const [size] = await site.query('SELECT pg_relation_size($1::regclass)::int AS bytes', [
        `job_log_chunks_${await slotOf(day)}`,
      ]);
      expect(size).toEqual({ bytes: 0 });
    }
    // Another process has rendered none of them yet.
    await site.restart();
    expect(await Promise.all(leases.map(linesNow))).toEqual(leases.map((_lease, day) => [`day ${day}`]));
  });

  it('keep the log of a job that runs over midnight, whole, until it has ended and moved', async () => {
    const lease = await startJob(app, {}, site);
    let bytes = await write(lease, 'before midnight');
    const neighbor = await archived('of the same day');
    for (const each of [lease, neighbor]) await beganDaysAgo(each, 1);
    bytes = await write(lease, 'after midnight', bytes);
    await retain();
    // It lasts for more than a day, so that its table would be due.
    for (const each of [lease, neighbor]) await beganDaysAgo(each, 2);
    await retain();
    bytes = await write(lease, 'on the third day', bytes);
    await retain();
    expect([await chunksOf(lease), await chunksOf(neighbor)]).toEqual([3, 1]);
    const lines = ['before midnight', 'after midnight', 'on the third day'];
    expect(await linesNow(lease)).toEqual(lines);
    await finish(lease, bytes);
    await expectArchived(lease);
    await retain();
    expect([await chunksOf(lease), await chunksOf(neighbor)]).toEqual([0, 0]);
    expect(await linesNow(lease)).toEqual(lines);
  });

  it('keep what has not moved while the storage is away, and nothing else', async () => {
    const moved = await archived('moved');
    await beganDaysAgo(moved, 3);
    const storage = join(site.dataDir, 'storage');
    await rename(storage, `${storage}-away`);
    const left: TestLease[] = [];
    try {
      for (const line of ['one', 'two']) {
        const lease = await startJob(app, {}, site);
        const logBytes = await write(lease, line);
        // Before its end, because the queue begins to move it then.
        await beganDaysAgo(lease, 4);
        await finish(lease, logBytes);
        // The queue has given up by then.
        await endedDaysAgo(lease, 1);
        left.push(lease);
      }
      await site.query(`DELETE FROM queue.job WHERE name = 'job-logs'`);
      await retain();
      expect(await chunksOf(moved)).toBe(0);
      expect(await Promise.all(left.map(chunksOf))).toEqual([1, 1]);
      expect(await Promise.all(left.map(linesNow))).toEqual([['one'], ['two']]);
    } finally {
      await rename(`${storage}-away`, storage);
    }
    await retain();
    for (const lease of left) await expectArchived(lease);
    expect(await Promise.all(left.map(chunksOf))).toEqual([0, 0]);
    expect(await Promise.all(left.map(linesNow))).toEqual([['one'], ['two']]);
    expect(await linesNow(moved)).toEqual(['moved']);
  });

  it('of a table that someone reads wait for the next run, and hold up no others', async () => {
    const [read, other] = [await archived('read'), await archived('other')];
    await beganDaysAgo(read, 7);
    await beganDaysAgo(other, 2);
    const reader = new pg.Client({ connectionString: site.databaseUrl });
    await reader.connect();
    try {
      await reader.query('BEGIN');
      await reader.query(`SELECT FROM job_log_chunks_${await slotOf(7)}`);
      await retain();
      expect([await chunksOf(read), await chunksOf(other)]).toEqual([1, 0]);
      await reader.query('COMMIT');
      await retain();
      expect(await chunksOf(read)).toBe(0);
    } finally {
      await reader.end();
    }
  });
});

describe('a log', () => {
  it('is deleted when its time is over, as the app says, else the server; the job stays', async () => {
    const short = await createApp(app.tenant);
    const long = await createApp(app.tenant);
    expect((await app.api.patch(short.path, { jobLogRetentionDays: 5 })).status).toBe(200);
    expect((await app.api.patch(long.path, { jobLogRetentionDays: 60 })).status).toBe(200);
    const ended = async (days: number, of: TestApp): Promise<TestLease> => {
      const lease = await archived(`${days} days`, of);
      await endedDaysAgo(lease, days);
      return lease;
    };
    const gone = [await ended(31, app), await ended(6, short), await ended(61, long)];
    const kept = [await ended(29, app), await ended(4, short), await ended(59, long)];
    // Neither is one that runs, whenever it began.
    const running = await startJob(short, {}, site);
    await write(running, 'still here');
    for (const lease of gone) {
      // Read before, so that the server remembers where its lines are.
      const { body } = await app.api.get(`/v1/jobs/${lease.jobId}/logs?limit=1`);
      expect(body).toMatchObject({ isDeleted: false, totalLines: 1 });
    }
    await retain();
    for (const lease of gone) {
      const job = await readJob(app, lease.jobId);
      expect([job.status, job.jobLogs, await chunksOf(lease)]).toEqual(['succeeded', [], 0]);
      expect((await app.api.get(`/v1/jobs/${lease.jobId}/logs`)).body).toEqual([]);
      expect((await app.api.get(`/v1/jobs/${lease.jobId}/logs?limit=1`)).body).toMatchObject({
        isDeleted: true,
        isComplete: true,
        lines: [],
      });
    }
    expect(await Promise.all([...kept, running].map(linesNow))).toEqual([
      ['29 days'],
      ['4 days'],
      ['59 days'],
      ['still here'],
    ]);
    // An app that says nothing again has the setting of the server.
    await app.api.patch(short.path, { jobLogRetentionDays: null });
    await endedDaysAgo(kept[1]!, 25);
    await retain();
    expect(await linesNow(kept[1]!)).toEqual(['4 days']);

    // The objects follow after the grace period.
    expect(await site.objects()).toHaveLength(6);
    await retainOnServer(site);
    expect(await site.objects()).toHaveLength(6);
    await passDays(site, 8);
    await retainOnServer(site);
    expect(await site.objects()).toHaveLength(3);
    await site.expectTidy();
  });

  it('that never moved is deleted with its chunks', async () => {
    const lease = await startJob(app, {}, site);
    await finish(lease, await write(lease, 'one'));
    await expectArchived(lease);
    await site.query('UPDATE job_logs SET archived_at = NULL, blob_id = NULL WHERE id = $1', [lease.jobId]);
    await endedDaysAgo(lease, 31);
    await retain();
    expect([await linesNow(lease), await chunksOf(lease)]).toEqual([[], 0]);
  });

  it('that is deleted while it moves leaves nothing behind', async () => {
    const lease = await archived('one');
    const [log] = await site.query<{ blob_id: string }>(
      `UPDATE job_logs SET archived_at = NULL, blob_id = NULL
        FROM job_logs AS old WHERE old.id = job_logs.id AND old.id = $1 RETURNING old.blob_id`,
      [lease.jobId],
    );
    await site.query('DELETE FROM blobs WHERE id = $1', [log?.blob_id]);
    const deleting = new pg.Client({ connectionString: site.databaseUrl });
    await deleting.connect();
    try {
      await deleting.query('BEGIN');
      await deleting.query('DELETE FROM job_logs WHERE id = $1', [lease.jobId]);
      await site.query(`INSERT INTO queue.job (name, data) VALUES ('job-logs', $1)`, [
        JSON.stringify({ jobId: lease.jobId }),
      ]);
      await eventually(async () => expect(await countWaitingFor(deleting)).toBe(1));
      await deleting.query('COMMIT');
    } finally {
      await deleting.end();
    }
    await eventually(async () => {
      const open = await site.query(`SELECT FROM queue.job WHERE name = 'job-logs' AND state <> 'completed'`);
      expect(open).toEqual([]);
    });
    expect(await site.query('SELECT id FROM blobs')).toEqual([]);
    await site.expectTidy();
  });
});

it('keeps all logs of apps that say nothing when the server says 0', async () => {
  await site.restart({ JOB_LOG_RETENTION_DAYS: '0' });
  try {
    const lease = await startJob(app, {}, site);
    await finish(lease, await write(lease, 'old'));
    await expectArchived(lease);
    await endedDaysAgo(lease, 3651);
    await retain();
    expect(await site.query('SELECT FROM job_logs WHERE id = $1', [lease.jobId])).toHaveLength(1);
  } finally {
    await site.restart();
  }
});
