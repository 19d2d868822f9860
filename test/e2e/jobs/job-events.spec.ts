import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { createRunner, queueJobs } from '../../builders/runner.js';
import { eventually } from '../../support/eventually.js';
import { recordedEvents, recordedTypes } from '../../support/events/recorded-events.js';
import { createJob, finishJob, readJob, startJob } from '../../support/jobs/leases.js';
import { startBuild } from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ JOB_LEASE_SECONDS: '6' });
});
beforeEach(async () => {
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

const eventsOf = (objectId: string) => recordedEvents({ objectId }, site);
const typesOf = (objectId: string) => recordedTypes({ objectId }, site);

describe('a job', () => {
  it('has an event when it is created and when it is canceled, with the job as it was', async () => {
    const { jobId } = await startBuild(app, { appBuildSourceId: await uploadSource(app) });
    await app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' });
    const { userId } = app.tenant.owner;
    const { organizationId } = app.tenant;
    const [created, finished, ...others] = await eventsOf(jobId);
    expect(others).toEqual([]);
    const owner = { appId: app.id, organizationId, userId };
    expect(created).toMatchObject({ ...owner, type: 'job_created', data: { id: jobId, status: 'queued' } });
    expect(finished).toMatchObject({ ...owner, type: 'job_finished', data: { canceledBy: userId } });
    const { jobLogs: _, ...job } = await readJob(app, jobId);
    expect(finished?.data).toEqual(job);
  });

  it('has one event when its runner finishes it twice', async () => {
    const lease = await startJob(app, {}, site);
    await finishJob(lease, { status: 'failed', statusMessage: 'The command has failed.' });
    await finishJob(lease, { status: 'failed', statusMessage: 'The command has failed.' });
    const data = { status: 'failed', statusMessage: 'The command has failed.' };
    expect(await eventsOf(lease.jobId)).toMatchObject([{ type: 'job_finished', userId: null, data }]);
  });

  it('has none when its end is refused', async () => {
    const id = await createJob(app, { status: 'succeeded', finished_at: 'now()' }, site);
    expect((await app.api.patch(`/v1/jobs/${id}`, { status: 'canceled' })).status).toBe(400);
    expect(await typesOf(id)).toEqual([]);
  });

  it('ends or is deleted, without an error of the server, when its app is deleted at that moment', async () => {
    const leases = await Promise.all(Array.from({ length: 20 }, () => startJob(app, {}, site)));
    const ends = leases.map((lease) => finishJob(lease));
    const deleted = await app.api.delete(app.path);
    expect(deleted.status).toBe(204);
    const statuses = (await Promise.all(ends)).map(({ status }) => status);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(await site.query('SELECT 1 FROM events WHERE app_id = $1', [app.id])).toEqual([]);
  });

  it('has one when it times out', async () => {
    const values = { status: 'in_progress', kind: 'import', in_progress_at: '2026-01-01T00:00:00Z' };
    const id = await createJob(app, { ...values, platform: null, stack: null }, site);
    await eventually(async () => expect(await typesOf(id)).toEqual(['job_finished']));
    expect(await eventsOf(id)).toMatchObject([{ data: { status: 'timed_out' } }]);
  });
});

describe('a job that no runner can do', () => {
  const look = (): Promise<void> => runQueue(site, 'unmatched-jobs');
  const age = (id: string, minutes: number) =>
    site.query(`UPDATE jobs SET queued_at = queued_at - make_interval(mins => $2) WHERE id = $1`, [
      id,
      minutes,
    ]);

  it('has one event after a minute, and one when it is rejected', async () => {
    const id = await createJob(app, { labels: ['large'] }, site);
    await look();
    expect(await typesOf(id)).toEqual([]);
    await age(id, 2);
    await look();
    await look();
    const data = { jobId: id, labels: ['large'], missing: 'No runner is registered for this app.' };
    expect(await eventsOf(id)).toMatchObject([{ type: 'job_unmatched', data }]);
    await age(id, 4);
    await look();
    expect(await typesOf(id)).toEqual(['job_unmatched', 'job_finished']);
    expect(await site.query('SELECT 1 FROM event_conditions WHERE object_id = $1', [id])).toEqual([]);
  });

  it('has another one after a runner for it was there', async () => {
    const id = await createJob(app, {}, site);
    await age(id, 2);
    await look();
    const runner = await createRunner(app.tenant);
    await look();
    await app.tenant.owner.api.delete(`/v1/organizations/${app.tenant.organizationId}/runners/${runner.id}`);
    await look();
    expect(await typesOf(id)).toEqual(['job_unmatched', 'job_unmatched']);
  });
});

describe('a runner', () => {
  const look = (): Promise<void> => runQueue(site, 'lost-runners');
  const leave = (id: string, minutes: number) =>
    site.query(
      `UPDATE runner_sessions SET last_seen_at = now() - make_interval(mins => $2) WHERE runner_id = $1`,
      [id, minutes],
    );

  it('has one event when it is lost, and another one only after it was back', async () => {
    const runner = await createRunner(app.tenant, { name: 'Mac mini' });
    await leave(runner.id, 4);
    await look();
    expect(await typesOf(runner.id)).toEqual([]);
    await leave(runner.id, 6);
    // A server that has just started waits for the length of a lease.
    await eventually(async () => {
      await Promise.all([look(), look()]);
      expect(await typesOf(runner.id)).not.toEqual([]);
    });
    await look();
    const { organizationId } = app.tenant;
    const data = { runnerId: runner.id, runnerName: 'Mac mini', lastSeenAt: expect.any(String) as string };
    expect(await eventsOf(runner.id)).toMatchObject([
      { type: 'runner_lost', appId: null, organizationId, userId: null, data },
    ]);
    await queueJobs(app, 1, {}, site);
    expect((await runner.claim()).status).toBe(200);
    await look();
    await leave(runner.id, 6);
    await site.query(`DELETE FROM job_leases WHERE runner_id = $1`, [runner.id]);
    await look();
    expect(await typesOf(runner.id)).toEqual(['runner_lost', 'runner_lost']);
  });

  it('has none when it has ended its session, or is new', async () => {
    const runner = await createRunner(app.tenant);
    await runner.api.delete(`/v1/runner/sessions/${runner.sessionId}`);
    await leave(runner.id, 6);
    const silent = await createRunner(app.tenant, {}, null);
    await look();
    expect([await typesOf(runner.id), await typesOf(silent.id)]).toEqual([[], []]);
  });
});
