import { SUMMARY_NOTE } from '../../../src/jobs/job-logs/log-notes.js';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { expectInvalid } from '../../support/http/expect-error.js';
import {
  createJob,
  finishJob,
  sendLog,
  startJob,
  type TestJobLog,
  type TestLease,
} from '../../support/jobs/leases.js';
import {
  backward,
  forward,
  moved,
  pageOf,
  rawLines,
  rewriteAsOlderVersion,
  sendLongLog,
  stepsOf,
} from '../../support/jobs/log-lines.js';

const { databaseUrl } = testEnvironment();
let app: TestApp;

beforeAll(async () => {
  app = await createApp();
});

/** 1,203 lines of all kinds, three of them of 16 KiB, in many chunks and more than one member of an archive. */
const text = [
  '§ Installing dependencies: npm ci',
  ...Array.from({ length: 1197 }, (_, n) => `${n} ${'\x1b[32mok\x1b[0m <b>é</b> '.repeat(n % 60)}`),
  '',
  ...Array.from({ length: 3 }, (_, n) => `${n} ${'long'.repeat(4000)}`),
  '§ Installing dependencies took 9.2 s',
].join('\n');

async function ended(): Promise<TestLease> {
  const lease = await startJob(app);
  const logBytes = await sendLongLog(lease, `${text}\n`);
  expect((await finishJob(lease, { logBytes, status: 'succeeded' })).status).toBe(200);
  return lease;
}

const logs: Readonly<Record<string, () => Promise<string>>> = {
  'of a job that runs': async () => {
    const lease = await startJob(app);
    await sendLongLog(lease, `${text}\n`);
    return lease.jobId;
  },
  'in storage': async () => {
    const { jobId } = await ended();
    await moved(jobId);
    return jobId;
  },
  'that an older version has stored': async () => {
    const { jobId } = await ended();
    const { body } = await app.api.get(`/v1/jobs/${jobId}/logs`);
    await moved(jobId);
    await rewriteAsOlderVersion(jobId, body as TestJobLog[]);
    return jobId;
  },
};

describe.each(Object.keys(logs))('a log %s', (kind) => {
  let jobId: string;
  beforeAll(async () => {
    jobId = (await logs[kind]?.()) ?? '';
  });

  it('has the same lines by number as the whole log', async () => {
    const all = await rawLines(app, jobId);
    expect(all.map((line) => line.text)).toEqual(text.split('\n'));
    expect(await forward(app, jobId, 'limit=2000')).toEqual(all);
    expect(await forward(app, jobId, 'limit=97')).toEqual(all);
    expect(await backward(app, jobId, 'limit=2000')).toEqual(all);
    expect(await backward(app, jobId, 'limit=97')).toEqual(all);
  });

  it('begins with its last lines', async () => {
    const page = await pageOf(app, jobId, 'limit=2');
    expect(page.lines.map(({ number }) => number)).toEqual([1202, 1203]);
    expect(page).toMatchObject({ totalLines: 1203, isDeleted: false, totalHits: null });
    expect((await pageOf(app, jobId, 'before=2000000000')).lines).toHaveLength(500);
    expect((await pageOf(app, jobId, 'after=1203')).lines).toEqual([]);
    expect((await pageOf(app, jobId, 'before=1')).lines).toEqual([]);
  });

  it('is searched: all hits, the next one and the previous one', async () => {
    const all = await rawLines(app, jobId);
    const hits = all.filter((line) => /^\d*7 /.test(line.text) && line.text.includes('<b>'));
    const found = await pageOf(app, jobId, `search=${encodeURIComponent('7 OK <B>É')}&limit=2000`);
    expect(found.lines).toEqual(hits);
    expect(found.totalHits).toBe(hits.length);
    const [first, second] = hits;
    const hit = async (direction: string): Promise<unknown> =>
      (await pageOf(app, jobId, `search=${encodeURIComponent('7 ok <b>')}&limit=1&${direction}`)).lines;
    expect(await hit('after=0')).toEqual([first]);
    expect(await hit(`after=${first?.number}`)).toEqual([second]);
    expect(await hit(`before=${second?.number}`)).toEqual([first]);
    expect(await hit(`before=${first?.number}`)).toEqual([]);
    expect(await pageOf(app, jobId, 'search=not+there')).toMatchObject({
      lines: [],
      totalHits: 0,
      totalLines: 1203,
    });
  });

  it('has the steps that its runner reported', async () => {
    expect(await stepsOf(app, jobId)).toEqual([
      {
        name: 'Installing dependencies',
        firstLine: 1,
        lastLine: 1203,
        startedAt: expect.any(String),
        endedAt: expect.any(String),
        status: 'succeeded',
        attempt: 1,
      },
    ]);
  });

  it('is not sent again to a client that has it', async () => {
    for (const path of [
      `/v1/jobs/${jobId}/logs?after=10`,
      `/v1/jobs/${jobId}/logs?search=ok`,
      `/v1/jobs/${jobId}/logs/steps`,
    ]) {
      await eventually(async () => {
        const first = await app.api.get(path);
        const again = await app.api.request('get', path).set('If-None-Match', first.headers['etag'] ?? '');
        expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
        expect((await app.api.request('head', path)).headers['etag']).toBe(first.headers['etag']);
      });
    }
  });
});

it('holds at most a megabyte of text in a response, without losing a line', async () => {
  const lease = await startJob(app);
  const lines = Array.from({ length: 200 }, (_, n) => `${n} ${'x'.repeat(16_000)}`);
  await sendLongLog(lease, `${lines.join('\n')}\n`);
  const page = await pageOf(app, lease.jobId);
  expect(page.lines.length).toBeLessThan(70);
  expect(page.lines.at(-1)?.text).toBe(lines.at(-1));
  const all = await forward(app, lease.jobId, 'limit=2000');
  expect(all.map((line) => line.text)).toEqual(lines);
  expect((await backward(app, lease.jobId, 'limit=2000')).map((line) => line.text)).toEqual(lines);
  expect((await forward(app, lease.jobId, 'search=XXXX')).map((line) => line.text)).toEqual(lines);
});

it('is complete when the job has ended and its log is stored, and loses nothing for one who reads in the meantime', async () => {
  const lease = await startJob(app);
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n}`);
  const read: string[] = [];
  const reader = (async () => {
    for (;;) {
      const page = await pageOf(app, lease.jobId, `after=${read.length}&limit=50`);
      expect(page.lines.map(({ number }) => number)).toEqual(
        page.lines.map((_, index) => read.length + index + 1),
      );
      read.push(...page.lines.map((line) => line.text));
      if (page.isComplete && read.length === page.totalLines) return;
    }
  })();
  let offset = 0;
  for (let at = 0; at < lines.length; at += 40) {
    const part = `${lines.slice(at, at + 40).join('\n')}\n`;
    await sendLog(lease, offset, part);
    offset += part.length;
  }
  expect((await pageOf(app, lease.jobId)).isComplete).toBe(false);
  expect((await finishJob(lease, { logBytes: offset })).status).toBe(200);
  await reader;
  expect(read.slice(0, lines.length)).toEqual(lines);
  expect(read[lines.length]).toBe(SUMMARY_NOTE);
  expect(read).toEqual((await rawLines(app, lease.jobId)).map((line) => line.text));
});

it('has new hits and steps of a job that runs', async () => {
  const lease = await startJob(app);
  await sendLog(lease, 0, '§ Building: npm run build\nerror one\n');
  expect((await pageOf(app, lease.jobId, 'search=ERROR')).totalHits).toBe(1);
  expect(await stepsOf(app, lease.jobId)).toMatchObject([{ status: 'running', endedAt: null, lastLine: 2 }]);
  await sendLog(lease, Buffer.byteLength('§ Building: npm run build\nerror one\n'), 'error two\n');
  expect(await pageOf(app, lease.jobId, 'search=ERROR')).toMatchObject({
    totalHits: 2,
    lines: [{ number: 2 }, { number: 3, text: 'error two' }],
  });
  expect(await stepsOf(app, lease.jobId)).toMatchObject([{ status: 'running', lastLine: 3 }]);
  expect((await app.api.patch(`/v1/jobs/${lease.jobId}`, { status: 'canceled' })).status).toBe(200);
  expect(await stepsOf(app, lease.jobId)).toMatchObject([
    { status: 'canceled', lastLine: 4, endedAt: expect.any(String) },
  ]);
});

it('says that the log was deleted, and that there is none', async () => {
  const waiting = await createJob(app);
  expect(await pageOf(app, waiting)).toEqual({
    totalLines: 0,
    isComplete: false,
    isDeleted: false,
    lines: [],
    totalHits: null,
  });
  expect(await stepsOf(app, waiting)).toEqual([]);
  const silent = await startJob(app);
  expect((await finishJob(silent, { status: 'succeeded' })).status).toBe(200);
  expect(await pageOf(app, silent.jobId)).toMatchObject({
    isComplete: true,
    isDeleted: false,
    totalLines: 0,
  });
  const { jobId } = await ended();
  await moved(jobId);
  await query(databaseUrl, 'DELETE FROM job_logs WHERE id = $1', [jobId]);
  // Nothing deletes the log of a job that ended lately.
  expect((await pageOf(app, jobId)).isDeleted).toBe(false);
  await query(
    databaseUrl,
    `UPDATE jobs SET (queued_at, pending_at, in_progress_at, finished_at) =
            (queued_at - d, pending_at - d, in_progress_at - d, finished_at - d)
       FROM make_interval(days => 400) AS d WHERE id = $1`,
    [jobId],
  );
  expect(await pageOf(app, jobId, 'search=ok')).toEqual({
    totalLines: 0,
    isComplete: true,
    isDeleted: true,
    lines: [],
    totalHits: 0,
  });
  expect(await stepsOf(app, jobId)).toEqual([]);
});

describe('bad input', () => {
  let path: string;
  beforeAll(async () => {
    path = `/v1/jobs/${await createJob(app)}/logs`;
  });

  it.each([
    ['after=-1', 'after', 'after must be at least 0.'],
    ['after=x', 'after', 'after must be a whole number.'],
    ['after=1.5', 'after', 'after must be a whole number.'],
    ['after=', 'after', 'after must be a whole number.'],
    ['after=1&after=2', 'after', 'after must be a whole number.'],
    ['after=2147483648', 'after', 'after must be at most 2147483647.'],
    [`after=${'9'.repeat(400)}`, 'after', 'after must be a whole number.'],
    ['before=0', 'before', 'before must be at least 1.'],
    ['before=99999999999', 'before', 'before must be at most 2147483647.'],
    ['limit=0', 'limit', 'limit must be at least 1.'],
    ['limit=5000', 'limit', 'limit must be at most 2000.'],
    ['search=', 'search', 'search must have 1 to 200 characters besides colors.'],
    [`search=${'x'.repeat(5000)}`, 'search', 'search must have 1 to 200 characters besides colors.'],
    ['search=%1B%5B31m', 'search', 'search must have 1 to 200 characters besides colors.'],
    ['after=1&before=5', 'before', 'Give after or before, not both.'],
  ])('is refused with one sentence: %.40s', async (parameters, field, message) => {
    const response = await app.api.get(`${path}?${parameters}`);
    expect(expectInvalid(response, field).errors).toEqual([{ field, message }]);
  });

  it('such as NUL is refused', async () => {
    expect((await app.api.get(`${path}?search=%00`)).body).toMatchObject({ code: 'malformed_text' });
  });
});

it('is shown to those who see the app only', async () => {
  const { jobId } = await ended();
  const { owner } = await createTenant();
  for (const path of [
    `/v1/jobs/${jobId}/logs?limit=1`,
    `/v1/jobs/${jobId}/logs?search=ok`,
    `/v1/jobs/${jobId}/logs/steps`,
  ]) {
    expect((await owner.api.get(path)).status).toBe(404);
  }
});
