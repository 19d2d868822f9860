import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { createRunner, queueJobs, TestRunner } from '../builders/runner.js';
import { eventually } from '../support/eventually.js';
import { createJob, finishJob, grantLease, sendLog, startJob } from '../support/jobs/leases.js';
import { freePort } from '../setup/free-port.js';
import { ScrapedMetrics } from '../support/servers/metrics.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;
let port: number;
let app: TestApp;

beforeAll(async () => {
  port = await freePort();
  site = await OwnSite.start({ PORT: String(await freePort()), METRICS_PORT: String(port) });
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

const scrape = (): Promise<ScrapedMetrics> => ScrapedMetrics.of(port);

/** The samples of a metric by the values of one label; absent without the metric. */
const by = (metrics: ScrapedMetrics, name: string, label: string, values: string[]): unknown =>
  Object.fromEntries(values.map((value) => [value, metrics.value(name, { [label]: value })]));
const queued = (metrics: ScrapedMetrics): unknown =>
  by(metrics, 'slipway_jobs_queued', 'reason', ['waiting', 'unmatched', 'held']);
const running = (metrics: ScrapedMetrics): unknown =>
  by(metrics, 'slipway_jobs_running', 'status', ['pending', 'in_progress']);

/** How many durations a histogram has counted: all, and those up to each of some limits in seconds. */
const counted = (metrics: ScrapedMetrics, name: string, ...limits: string[]): number[] => [
  metrics.value(`${name}_count`) ?? NaN,
  ...limits.map((le) => metrics.value(`${name}_bucket`, { le }) ?? NaN),
];

it('show the jobs of the whole installation by what they wait for, also of several processes', async () => {
  expect(queued(await scrape())).toEqual({ waiting: 0, unmatched: 0, held: 0 });
  expect(running(await scrape())).toEqual({ pending: 0, in_progress: 0 });
  const other = await createApp(await createTenant(site));
  for (const each of [app, other]) {
    await createRunner(each.tenant, { labels: ['large'] });
    await queueJobs(each, 2, {}, site);
  }
  await site.query('INSERT INTO job_queues (organization_id, running_limit) VALUES ($1, 1)', [
    app.tenant.organizationId,
  ]);
  await queueJobs(app, 3, { labels: ['vpn'] }, site);
  await createJob(app, { labels: ['large'] }, site);
  await createJob(app, { is_held: true }, site);
  // A label that is missing does not matter yet.
  await createJob(app, { is_held: true, labels: ['vpn'] }, site);
  await grantLease(await createJob(app, {}, site), site);
  for (const each of [app, app, other]) await startJob(each, {}, site);
  await finishJob(await startJob(app, {}, site));

  // Counts are up to 30 seconds old, unless the server has started in the meantime.
  await site.restart();
  const expected = [
    { waiting: 5, unmatched: 3, held: 2 },
    { pending: 1, in_progress: 3 },
  ];
  const one = await scrape();
  expect([queued(one), running(one)]).toEqual(expected);
  await site.restart({ WORKERS: '2' });
  await eventually(async () => {
    const both = await scrape();
    expect([queued(both), running(both)]).toEqual(expected);
  });
  await site.restart();
});

it('show the jobs whose runner should have lost them', async () => {
  const overdue = async (): Promise<number | undefined> => (await scrape()).value('slipway_jobs_overdue');
  // Counts are up to 30 seconds old, unless the server has started in the meantime. It waits a lease before it looks.
  await site.restart();
  expect(await overdue()).toBe(0);
  for (const seconds of [-60, 10, 90, 3600]) {
    const { jobId } = await startJob(app, {}, site);
    await site.query(
      `UPDATE job_leases SET expires_at = now() - make_interval(secs => $2) WHERE job_id = $1`,
      [jobId, seconds],
    );
  }
  await grantLease(await createJob(app, {}, site), site, -90);
  await site.restart();
  expect(await overdue()).toBe(3);
  await site.restart({ JOB_LEASE_SECONDS: '600' });
  expect(await overdue()).toBe(1);
  await site.restart({ JOB_LEASE_SECONDS: '3' });
  await eventually(async () => expect(await site.query('SELECT FROM job_leases')).toHaveLength(1));
  await site.restart();
  expect(await overdue()).toBe(0);
});

it('show the claims that wait, and leave out those that have left', async () => {
  const waiting = async (): Promise<number | undefined> =>
    (await scrape()).value('slipway_runner_claims_waiting');
  expect(await waiting()).toBe(0);
  const runners = [await createRunner(app.tenant), await createRunner(app.tenant)] as const;
  const gone = new AbortController();
  const left = claimUntil(runners[0], gone.signal);
  await eventually(async () => expect(await waiting()).toBe(1));
  const claimed = runners[1].claim();
  await eventually(async () => expect(await waiting()).toBe(2));
  gone.abort();
  await left;
  await eventually(async () => expect(await waiting()).toBe(1));
  await queueJobs(app, 1, {}, site);
  expect((await claimed).status).toBe(200);
  expect(await waiting()).toBe(0);
});

it('count the durations of queuing and matching, of jobs that this server gives to runners', async () => {
  const QUEUE = 'slipway_job_queue_duration_seconds';
  const MATCHING = 'slipway_job_matching_duration_seconds';
  const before = await scrape();
  const jobIds = await queueJobs(app, 3, {}, site);
  for (const [index, minutes] of [0, 2, 20].entries()) {
    await site.query(`UPDATE jobs SET queued_at = queued_at - make_interval(mins => $2) WHERE id = $1`, [
      jobIds[index],
      minutes,
    ]);
  }
  const runner = await createRunner(app.tenant);
  for (let claim = 0; claim < 3; claim++) expect((await runner.claim()).status).toBe(200);
  const after = await scrape();
  const limits = ['60', '300', '1800', '+Inf'];
  const earlier = counted(before, QUEUE, ...limits);
  const grown = counted(after, QUEUE, ...limits).map((value, index) => value - (earlier[index] ?? NaN));
  expect(grown).toEqual([3, 1, 2, 3, 3]);
  const sum = (after.value(`${QUEUE}_sum`) ?? NaN) - (before.value(`${QUEUE}_sum`) ?? NaN);
  expect(sum).toBeGreaterThanOrEqual(22 * 60);
  expect(sum).toBeLessThan(23 * 60);
  const [all = NaN, infinite] = counted(after, MATCHING, '+Inf');
  expect(all - (counted(before, MATCHING)[0] ?? NaN)).toBeGreaterThanOrEqual(1);
  expect(infinite).toBe(all);
  expect(after.value(`${MATCHING}_sum`)).toBeGreaterThan(0);
});

it('count the background jobs by their outcome, such as moving a log', async () => {
  const outcomes = async (): Promise<(number | undefined)[]> => {
    const metrics = await scrape();
    return ['done', 'failed'].map((outcome) =>
      metrics.value('slipway_queue_jobs_total', { queue: 'job-logs', outcome }),
    );
  };
  const [done = NaN, failed = NaN] = await outcomes();
  const lease = await startJob(app, {}, site);
  await sendLog(lease, 0, 'one\n');
  expect((await finishJob(lease, { logBytes: 4 })).status).toBe(200);
  await eventually(async () => expect(await outcomes()).toEqual([done + 1, failed]));
  await site.query(
    `INSERT INTO queue.job (name, data, retry_limit) VALUES ('job-logs', '{"jobId":"none"}', 0)`,
  );
  await eventually(async () => expect(await outcomes()).toEqual([done + 1, failed + 1]));
});

it('leave the numbers of jobs out while the database is away', async () => {
  await site.restart();
  await site.query('ALTER TABLE jobs RENAME TO away');
  try {
    const metrics = await scrape();
    expect(metrics.names).toContain('slipway_jobs_queued');
    expect(queued(metrics)).toEqual({});
    expect(running(metrics)).toEqual({});
    expect(metrics.value('slipway_jobs_overdue')).toBeUndefined();
    expect(metrics.value('slipway_runner_claims_waiting')).toBe(0);
  } finally {
    await site.query('ALTER TABLE away RENAME TO jobs');
  }
  expect(queued(await scrape())).toEqual({ waiting: 0, unmatched: 0, held: 0 });
});

/** A claim whose client leaves. */
async function claimUntil({ api, sessionId }: TestRunner, signal: AbortSignal): Promise<void> {
  await fetch(`${api.origin}/v1/runner/claims`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId, claimId: crypto.randomUUID() }),
    signal,
  }).catch(() => undefined);
}
