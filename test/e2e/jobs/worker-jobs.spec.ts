import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { createRunner, queueJobs } from '../../builders/runner.js';
import { eventually } from '../../support/eventually.js';
import { createJob, linesOf, readJob } from '../../support/jobs/leases.js';
import { freePort } from '../../setup/free-port.js';
import { ScrapedMetrics } from '../../support/servers/metrics.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';

let site: OwnSite;
let metricsPort: number;
let app: TestApp;

beforeAll(async () => {
  metricsPort = await freePort();
  const ports = { PORT: String(await freePort()), METRICS_PORT: String(metricsPort) };
  site = await OwnSite.start({ ...ports, JOB_LEASE_SECONDS: '3' });
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

/** A queued job of a kind that the API itself executes. @returns its id */
const createWorkerJob = (values: object = {}): Promise<string> =>
  createJob(app, { kind: 'import', platform: null, stack: null, ...values }, site);

/** As its worker does. */
const start = (id: string, secondsAgo = 0): Promise<unknown> =>
  site.query(
    `UPDATE jobs SET status = 'in_progress', in_progress_at = now() - make_interval(secs => $2) WHERE id = $1`,
    [id, secondsAgo],
  );

const statusOf = async (id: string): Promise<unknown> => (await readJob(app, id)).status;

describe('a job that the API itself executes', () => {
  it('is given to no runner, and takes no place of those that are', async () => {
    await site.query('INSERT INTO job_queues (organization_id, running_limit) VALUES ($1, 1)', [
      app.tenant.organizationId,
    ]);
    await start(await createWorkerJob());
    const waiting = [
      await createWorkerJob(),
      await createWorkerJob({ platform: 'web', stack: 'macos-tahoe', is_automated: true }),
    ];
    const [built] = await queueJobs(app, 1, {}, site);
    const runner = await createRunner(app.tenant);
    expect((await runner.claim()).body).toMatchObject({ job: { id: built, kind: 'build' } });
    for (const id of waiting)
      expect(await readJob(app, id)).toMatchObject({ status: 'queued', runnerId: null });
  });

  it('waits neither for a runner nor for a source, however long it is queued', async () => {
    const id = await createWorkerJob();
    const build = await createJob(app, {}, site);
    await site.query(`UPDATE jobs SET queued_at = now() - interval '2 hours' WHERE id = ANY($1)`, [
      [id, build],
    ]);
    await runQueue(site, 'unmatched-jobs');
    expect([await statusOf(id), await statusOf(build)]).toEqual(['queued', 'rejected']);
  });

  it('is not in the metrics of runners', async () => {
    await createWorkerJob();
    await start(await createWorkerJob());
    await createJob(app, {}, site);
    await createJob(app, { status: 'pending', pending_at: 'now()' }, site);
    // Counts are up to 30 seconds old, unless the server has started in the meantime.
    await site.restart();
    const metrics = await ScrapedMetrics.of(metricsPort);
    const sum = (name: string, label: string, values: string[]): number =>
      values.reduce((total, value) => total + (metrics.value(name, { [label]: value }) ?? NaN), 0);
    expect([
      sum('slipway_jobs_queued', 'reason', ['waiting', 'unmatched', 'held']),
      sum('slipway_jobs_running', 'status', ['pending', 'in_progress']),
    ]).toEqual([1, 1]);
  });

  it('is listed and shown without what only runners need', async () => {
    const subject = '0198f2c4-6f3a-7c55-9d0e-3f1b2a4c5d6e';
    const id = await createWorkerJob({ subject_id: subject });
    await start(id);
    const list = await app.api.get(`/v1/jobs?organizationId=${app.tenant.organizationId}&status=in_progress`);
    const expected = {
      id,
      appBuildId: subject,
      appDeploymentId: null,
      platform: null,
      stack: '',
      labels: [],
      attempts: 0,
      runnerId: null,
      pendingAt: null,
    };
    expect(list.body).toEqual([expect.objectContaining(expected)]);
    expect(await readJob(app, id)).toMatchObject({ ...expected, jobLogs: [] });
  });

  it('can be canceled, before and after it has started', async () => {
    const queued = await createWorkerJob();
    const started = await createWorkerJob();
    await start(started);
    for (const id of [queued, started]) {
      const { status, body } = await app.api.patch(`/v1/jobs/${id}`, { status: 'canceled' });
      expect([status, body]).toMatchObject([200, { status: 'canceled' }]);
    }
    for (const id of [queued, started])
      expect(linesOf(await readJob(app, id))).toEqual(['The job was canceled.']);
  });

  it('goes back as often as its worker is lost', async () => {
    const id = await createWorkerJob();
    for (let attempt = 1; attempt <= 3; attempt++) {
      await start(id);
      await site.query(`UPDATE jobs SET status = 'queued', in_progress_at = NULL WHERE id = $1`, [id]);
    }
    expect(await readJob(app, id)).toMatchObject({ status: 'queued', attempts: 0 });
  });

  it('ends when its own time is over', async () => {
    const long = await createWorkerJob({ timeout_seconds: 7200 });
    const short = await createWorkerJob({ timeout_seconds: 60 });
    for (const id of [long, short]) await start(id, 120);
    await eventually(async () => expect(await statusOf(short)).toBe('timed_out'));
    const message = 'The job has run for longer than a minute.';
    const ended = await readJob(app, short);
    expect(ended).toMatchObject({ statusMessage: message, finishedAt: expect.any(String) as string });
    expect(linesOf(ended)).toEqual([message]);
    expect(await statusOf(long)).toBe('in_progress');
  });
});

describe('the table of jobs', () => {
  it.each([
    ['a build without a platform', { platform: null }],
    ['a build without a stack', { stack: null }],
    ['a job without runners that has attempts', { kind: 'import', attempts: 1 }],
    ['a job without runners that waits for a source', { kind: 'import', is_held: true }],
    [
      'a job without runners that has one',
      { kind: 'import', runner_id: '0198f2c4-6f3a-7c55-9d0e-3f1b2a4c5d6e' },
    ],
  ])('refuses %s', async (_title, values) => {
    await expect(createJob(app, values, site)).rejects.toThrow('jobs_executor_check');
  });

  it('lets no build start that no runner has', async () => {
    await expect(start(await createJob(app, {}, site))).rejects.toThrow('cannot change from queued');
  });
});
