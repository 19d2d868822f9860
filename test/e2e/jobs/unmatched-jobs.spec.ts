import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { createRunner, queueJobs } from '../../builders/runner.js';
import { eventually } from '../../support/eventually.js';
import {
  createJob,
  linesBeforeSummary,
  linesOf,
  readJob,
  sendLog,
  startJob,
} from '../../support/jobs/leases.js';
import { startBuild } from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ JOB_LEASE_SECONDS: '3' });
});
beforeEach(async () => {
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

/** A job that has been queued for so many minutes. @returns its id */
async function queuedFor(minutes: number, values: object = {}): Promise<string> {
  const id = await createJob(app, values, site);
  await age(id, minutes);
  return id;
}

const age = (id: string, minutes: number): Promise<unknown> =>
  site.query(
    `UPDATE jobs SET queued_at = queued_at - make_interval(mins => $2),
                     created_at = created_at - make_interval(mins => $2) WHERE id = $1`,
    [id, minutes],
  );

async function linesNow(id: string): Promise<string[]> {
  return linesOf(await readJob(app, id));
}

/** Lets the server look now, as it does each minute. */
const look = (): Promise<void> => runQueue(site, 'unmatched-jobs');

async function outcome(id: string): Promise<unknown[]> {
  const { status, statusMessage } = await readJob(app, id);
  return [status, statusMessage];
}

describe('a job that no registered runner can do', () => {
  it('is rejected after five minutes, with its build, and no runner gets it afterwards', async () => {
    const { id, jobId } = await startBuild(app, { appBuildSourceId: await uploadSource(app) });
    await age(jobId, 4);
    await look();
    expect(await outcome(jobId)).toEqual(['queued', null]);
    await age(jobId, 2);
    await look();
    const { body } = await app.api.get(`${app.path}/builds/${id}?relations=job,appBuildArtifacts`);
    expect(body).toMatchObject({
      job: {
        status: 'rejected',
        statusMessage: 'No runner is registered for this app.',
        finishedAt: expect.any(String) as string,
        pendingAt: null,
      },
      appBuildArtifacts: [],
    });
    expect(await linesNow(jobId)).toEqual(['No runner is registered for this app.']);
    const canceled = await app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' });
    expect([canceled.status, canceled.body]).toMatchObject([400, { code: 'job_finished' }]);
    const runner = await createRunner(app.tenant);
    const [next] = await queueJobs(app, 1, {}, site);
    expect((await runner.claim()).body).toMatchObject({ job: { id: next } });
  });

  it.each([
    ['a runner of another app', { appIds: 'other' }, {}, {}, 'No runner is registered for this app.'],
    ['another platform', {}, { platforms: ['android'] }, {}, 'No runner builds for the platform web.'],
    [
      'platforms that its registration leaves out',
      { platforms: ['android'] },
      { platforms: ['android', 'web'] },
      {},
      'No runner builds for the platform web.',
    ],
    [
      'another version of Xcode',
      {},
      { platforms: ['ios'], stacks: ['macos-sequoia'] },
      { platform: 'ios', stack: 'macos-tahoe' },
      'No runner for ios has the stack macos-tahoe.',
    ],
    ['no label', {}, {}, { labels: ['large'] }, 'No runner for web has the label large.'],
    [
      'one of three labels',
      { labels: ['large'] },
      {},
      { labels: ['large', 'vpn', 'usb'] },
      'No runner for web has the labels vpn, usb.',
    ],
  ])('says what is missing: %s', async (_title, values, report, needs, missing) => {
    const other = await createApp(app.tenant);
    const limits = 'appIds' in values ? { appIds: [other.id] } : values;
    await createRunner(app.tenant, limits, report);
    const id = await queuedFor(6, needs);
    await look();
    expect(await outcome(id)).toEqual(['rejected', missing]);
    expect(await linesNow(id)).toEqual([missing]);
  });

  it('says so when each label is there, but not all at one runner', async () => {
    await createRunner(app.tenant, { labels: ['large'] });
    await createRunner(app.tenant, { labels: ['vpn'] });
    const id = await queuedFor(6, { labels: ['large', 'vpn'] });
    await look();
    expect(await outcome(id)).toEqual(['rejected', 'No runner for web has all of the labels large, vpn.']);
  });

  it('is that of runners that were never in contact, have expired, or are those of others', async () => {
    await createRunner(app.tenant, {}, null);
    const expired = await createRunner(app.tenant);
    await site.query(`UPDATE runners SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      expired.id,
    ]);
    await createRunner(await createTenant(site));
    const id = await queuedFor(6);
    await look();
    expect(await outcome(id)).toEqual(['rejected', 'No runner is registered for this app.']);
  });
});

describe('a job that a registered runner can do', () => {
  it('waits for as long as it takes, also for runners that are paused or offline', async () => {
    const { id, sessionId, api } = await createRunner(app.tenant, { labels: ['large'] });
    const jobId = await queuedFor(24 * 60, { labels: ['large'] });
    await app.api.patch(`/v1/organizations/${app.tenant.organizationId}/runners/${id}`, { paused: true });
    await look();
    expect(await outcome(jobId)).toEqual(['queued', null]);
    expect((await api.delete(`/v1/runner/sessions/${sessionId}`)).status).toBe(204);
    await site.query(`UPDATE runner_sessions SET last_seen_at = now() - interval '1 year'`);
    await look();
    expect(await outcome(jobId)).toEqual(['queued', null]);
    await app.api.delete(`/v1/organizations/${app.tenant.organizationId}/runners/${id}`);
    await look();
    expect(await outcome(jobId)).toEqual(['rejected', 'No runner is registered for this app.']);
  });

  it('waits for a runner of all organizations, too', async () => {
    const { id } = await createRunner(app.tenant);
    await site.query('UPDATE runners SET organization_id = NULL WHERE id = $1', [id]);
    const jobId = await queuedFor(6);
    await look();
    expect(await outcome(jobId)).toEqual(['queued', null]);
    await site.query('DELETE FROM runners WHERE id = $1', [id]);
  });
});

describe('a job whose source does not arrive', () => {
  it('fails after 65 minutes, later than what has no turn for an hour, whether a runner could do it or not', async () => {
    const early = await queuedFor(64, { is_held: true });
    const late = await queuedFor(66, { is_held: true });
    await look();
    expect(await outcome(early)).toEqual(['queued', null]);
    const reason =
      'The source or the build number of the build did not arrive within an hour. Start the build again.';
    expect(await outcome(late)).toEqual(['failed', reason]);
    expect(linesBeforeSummary(await readJob(app, late))).toEqual([reason]);
    await createRunner(app.tenant);
    await age(early, 2);
    await look();
    expect(await outcome(early)).toEqual(['failed', reason]);
  });
});

it('is rejected with its reason after the log of an attempt whose runner was lost', async () => {
  const lease = await startJob(app, {}, site);
  const line = 'Installing\n';
  expect((await sendLog(lease, 0, line)).status).toBe(202);
  await site.query(`UPDATE job_leases SET expires_at = now() - interval '1 second' WHERE job_id = $1`, [
    lease.jobId,
  ]);
  await eventually(async () => expect(await outcome(lease.jobId)).toEqual(['queued', null]));
  await age(lease.jobId, 6);
  await look();
  const lines = [
    'Installing',
    'The runner was lost. Attempt 2 follows.',
    'No runner is registered for this app.',
  ];
  expect(await linesNow(lease.jobId)).toEqual(lines);
});

it('leaves alone what a runner has, and what has ended', async () => {
  const pending = await queuedFor(61, { status: 'pending', pending_at: 'now()' });
  const ended = await queuedFor(61);
  expect((await app.api.patch(`/v1/jobs/${ended}`, { status: 'canceled' })).status).toBe(200);
  await look();
  expect(await outcome(pending)).toEqual(['pending', null]);
  expect(await outcome(ended)).toEqual(['canceled', null]);
});

// Last, because it starts the server again.
it('waits for as long as JOB_UNMATCHED_MINUTES says', async () => {
  await site.restart({ JOB_UNMATCHED_MINUTES: '90' });
  app = await createApp(await createTenant(site));
  const [early, late] = [await queuedFor(89), await queuedFor(91)];
  await look();
  expect(await outcome(early)).toEqual(['queued', null]);
  expect(await outcome(late)).toEqual(['rejected', 'No runner is registered for this app.']);
});
