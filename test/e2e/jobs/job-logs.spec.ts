import { createApp, type TestApp } from '../../builders/app.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import {
  finishJob,
  linesBeforeSummary,
  linesOf,
  readJob,
  sendLog,
  startJob,
  type TestLease,
} from '../../support/jobs/leases.js';

const { databaseUrl } = testEnvironment();
let app: TestApp;

beforeAll(async () => {
  app = await createApp();
});

const linesNow = async ({ jobId }: TestLease): Promise<string[]> => linesOf(await readJob(app, jobId));
const answer = ({ status, headers }: { status: number; headers: Record<string, string> }): unknown[] => [
  status,
  headers['upload-offset'],
  headers['x-job-status'],
];

describe('a part of a log', () => {
  it('is shown when its lines have ended, at the latest with the final status', async () => {
    const lease = await startJob(app);
    expect(answer(await sendLog(lease, 0, 'one\ntw'))).toEqual([202, '6', 'running']);
    expect(await linesNow(lease)).toEqual(['one']);
    expect(answer(await sendLog(lease, 6, 'o\nthree', { gzip: true }))).toEqual([202, '13', 'running']);
    expect(await linesNow(lease)).toEqual(['one', 'two']);
    expect((await finishJob(lease, { logBytes: 13 })).status).toBe(200);
    const job = await readJob(app, lease.jobId);
    expect([job.status, linesBeforeSummary(job)]).toEqual(['failed', ['one', 'two', 'three']]);
  });

  it('changes nothing when it is repeated, or partly', async () => {
    const lease = await startJob(app);
    await sendLog(lease, 0, 'one\n');
    expect(answer(await sendLog(lease, 0, 'one\n'))).toEqual([202, '4', 'running']);
    expect(answer(await sendLog(lease, 2, 'e\ntwo\n'))).toEqual([202, '8', 'running']);
    expect(answer(await sendLog(lease, 0, ''))).toEqual([202, '8', 'running']);
    expect(await linesNow(lease)).toEqual(['one', 'two']);
  });

  it('that comes too early is refused with the place to go on', async () => {
    const lease = await startJob(app);
    await sendLog(lease, 0, 'one\n');
    const early = await sendLog(lease, 5, 'x\n');
    expect([...answer(early), (early.body as { code: string }).code]).toEqual([
      409,
      '4',
      'running',
      'log_out_of_step',
    ]);
    expect(answer(await finishJob(lease, { logBytes: 10 }))).toEqual([409, '4', 'running']);
  });

  it('sent by many at once counts once', async () => {
    const lease = await startJob(app);
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendLog(lease, 0, 'one\ntwo\n')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202));
    expect(await linesNow(lease)).toEqual(['one', 'two']);
  });

  it('needs an offset, a start, and a size that is allowed', async () => {
    const lease = await startJob(app);
    const bare = await lease.api
      .request('patch', '/v1/runner/job/log')
      .set('Content-Type', 'text/plain')
      .send('x');
    expect(bare.status).toBe(400);
    expect((await sendLog(lease, 0, 'x'.repeat(65_537))).status).toBe(413);
    expect((await sendLog(lease, 0, Buffer.alloc(50_000_000), { gzip: true })).status).toBe(413);
    const broken = await lease.api
      .request('patch', '/v1/runner/job/log')
      .set({ 'Upload-Offset': '0', 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
      .send('not gzip');
    expect([broken.status, broken.body]).toMatchObject([400, { code: 'log_not_decoded' }]);
    expect(
      (await lease.api.request('patch', '/v1/runner/job/log').set('Upload-Offset', '0').send({})).status,
    ).toBe(415);
    expect(await linesNow(lease)).toEqual([]);
  });

  it('has no sequences of terminals but colors, also where parts divide them', async () => {
    const lease = await startJob(app);
    const log = '\x1b[31mred\x1b[0m \x1b[2J\\033[1Aa \\x1b]0;title\x07\\x1b[1mb\\x1\x1b[Kb[2J\n';
    const half = log.indexOf('[1A');
    await sendLog(lease, 0, log.slice(0, half));
    await sendLog(lease, half, log.slice(half));
    expect(await linesNow(lease)).toEqual(['\x1b[31mred\x1b[0m a \\x1b[1mb\\x1\uFFFDb[2J']);
  });

  it('of noise becomes text, and a long line several chunks', async () => {
    const lease = await startJob(app);
    const noise = Buffer.concat([Buffer.from([0, 1, 0xff, 0xfe, 65, 10]), Buffer.alloc(60_000, 'y')]);
    await sendLog(lease, 0, noise, { gzip: true });
    await sendLog(lease, noise.length, '\n');
    const lines = await linesNow(lease);
    expect(lines[0]).toBe('\uFFFD\uFFFD\uFFFD\uFFFDA');
    expect(lines.slice(1).join('')).toBe('y'.repeat(60_000));
  });
});

it('keeps 300 characters of the message of a job', async () => {
  const lease = await startJob(app);
  expect((await finishJob(lease, { statusMessage: `${'x'.repeat(298)}💥 and more` })).status).toBe(200);
  const { statusMessage } = (await readJob(app, lease.jobId)) as unknown as { statusMessage: string };
  expect(statusMessage).toBe(`${'x'.repeat(298)}\uFFFD…`);
});

it('keeps a log up to the limit, then says so', async () => {
  const lease = await startJob(app);
  const part = `${'z'.repeat(999)}\n`.repeat(65);
  for (let offset = 0; offset < 4_200_000; offset += part.length) {
    expect((await sendLog(lease, offset, part, { gzip: true })).status).toBe(202);
  }
  const { jobLogs } = await readJob(app, lease.jobId);
  expect(jobLogs.at(-1)?.payload).toContain('The log is longer than 4,000,000 bytes. The rest is not kept.');
  const size = jobLogs.reduce((sum, { payload }) => sum + payload.length, 0);
  expect(size).toBeGreaterThan(3_900_000);
  expect(size).toBeLessThan(4_000_200);
  expect(Math.max(...jobLogs.map(({ payload }) => payload.length))).toBeLessThanOrEqual(65_536);
  expect((await finishJob(lease, { logBytes: part.length })).status).toBe(200);
  expect((await readJob(app, lease.jobId)).jobLogs.at(-1)?.payload).toContain(
    'The log was too long, so its last lines were not kept.',
  );
});

describe('a finished log', () => {
  it('moves to storage, and reads the same before and after', async () => {
    const lease = await startJob(app);
    await sendLog(lease, 0, 'one\ntwo\n');
    await sendLog(lease, 8, 'three\n');
    await finishJob(lease, { logBytes: 14 });
    const before = await readJob(app, lease.jobId);
    await eventually(async () => {
      const [log] = await query(databaseUrl, 'SELECT blob_id FROM job_logs WHERE id = $1', [lease.jobId]);
      expect(log?.['blob_id']).not.toBeNull();
    });
    // As when the table of the day was emptied.
    await query(databaseUrl, 'DELETE FROM job_log_chunks WHERE job_id = $1', [lease.jobId]);
    expect((await readJob(app, lease.jobId)).jobLogs).toEqual(before.jobLogs);
    const { body } = await app.api.get(`/v1/jobs/${lease.jobId}/logs`);
    expect(body).toEqual(before.jobLogs);
  });
});

it('is not sent again to a client that has it', async () => {
  const lease = await startJob(app);
  await sendLog(lease, 0, 'one\n');
  const path = `/v1/jobs/${lease.jobId}?relations=jobLogs`;
  const first = await app.api.get(path);
  const again = (): Promise<{ status: number }> =>
    app.api.request('get', path).set('If-None-Match', first.headers['etag'] ?? '');
  expect((await again()).status).toBe(304);
  await sendLog(lease, 4, 'two\n');
  expect((await again()).status).toBe(200);
});
