import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { createCertificate } from '../../builders/certificate.js';
import { createTenant } from '../../builders/identities.js';
import { createIosSigning, createProfile } from '../../builders/provisioning-profile.js';
import { recordedEvents, recordedTypes } from '../../support/events/recorded-events.js';
import { eventually } from '../../support/eventually.js';
import { finishJob, grantLease } from '../../support/jobs/leases.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { importFile } from '../../support/native-builds/imports.js';
import { startBuild, uploadArtifact } from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ JOB_LEASE_SECONDS: '12' });
});
beforeEach(async () => {
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

const eventsOf = (objectId: string) => recordedEvents({ objectId }, site);
const typesOf = (objectId: string) => recordedTypes({ objectId }, site);

describe('a build', () => {
  it('has events when it is created, starts and has succeeded, the first with the build as it was', async () => {
    const { id, jobId } = await startBuild(app, { appBuildSourceId: await uploadSource(app) });
    const created = await app.api.get(`${app.path}/builds/${id}`);
    const lease = await grantLease(jobId, site);
    await lease.api.post('/v1/runner/job/start');
    await lease.api.post('/v1/runner/job/start');
    const artifact = await uploadArtifact(lease, await zipOf({ 'index.html': '<html>' }));
    expect((await finishJob(lease, { status: 'succeeded' })).status).toBe(200);
    const events = await eventsOf(id);
    const { userId } = app.tenant.owner;
    expect(events).toMatchObject([
      { type: 'app_build_created', appId: app.id, userId },
      { type: 'app_build_started', userId: null, data: { appBuildId: id, jobId, attempt: 1 } },
      {
        type: 'app_build_finished',
        data: { status: 'succeeded', statusMessage: null, appBuildArtifactId: artifact.id, platform: 'web' },
      },
    ]);
    expect(events[0]?.data).toEqual(created.body);
    const { organizationId } = app.tenant;
    const all = await recordedTypes({ organizationId }, site);
    expect(all.filter((type) => /job|build/.test(type))).toEqual([
      'job_created',
      'app_build_created',
      'app_build_started',
      'job_finished',
      'app_build_finished',
    ]);
  });

  it('starts once more on another runner when its runner is lost', async () => {
    const { id, jobId } = await startBuild(app, { appBuildSourceId: await uploadSource(app) });
    const lost = await grantLease(jobId, site);
    await lost.api.post('/v1/runner/job/start');
    await site.query(`UPDATE job_leases SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
      lost.id,
    ]);
    // A server that has just started waits for the length of a lease.
    await eventually(async () =>
      expect(await site.query('SELECT status FROM jobs WHERE id = $1', [jobId])).toEqual([
        { status: 'queued' },
      ]),
    );
    const lease = await grantLease(jobId, site);
    await lease.api.post('/v1/runner/job/start');
    await finishJob(lease, { statusMessage: 'The command has failed.', step: 'build' });
    expect(await eventsOf(id)).toMatchObject([
      { type: 'app_build_created' },
      { type: 'app_build_started', data: { attempt: 1 } },
      { type: 'app_build_started', data: { attempt: 2 } },
      {
        type: 'app_build_finished',
        data: { status: 'failed', statusMessage: 'The command has failed.', failedStep: 'build' },
      },
    ]);
  });

  it('has events when it is canceled before it starts', async () => {
    const { id, jobId } = await startBuild(app, { appBuildSourceId: await uploadSource(app) });
    await app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' });
    expect(await eventsOf(id)).toMatchObject([
      { type: 'app_build_created' },
      {
        type: 'app_build_finished',
        userId: app.tenant.owner.userId,
        data: { status: 'canceled', durationInSeconds: null, appBuildArtifactId: null },
      },
    ]);
  });

  it('has no events when its request is refused', async () => {
    const { organizationId } = app.tenant;
    const before = await recordedTypes({ organizationId }, site);
    const values = { platform: 'web', appBuildSourceId: '0197b2a0-0000-7000-8000-000000000000' };
    expect((await app.api.post(`${app.path}/builds`, values)).status).toBe(404);
    expect(await recordedTypes({ organizationId }, site)).toEqual(before);
  });

  it('has one event when it is uploaded as a bundle', async () => {
    const bundle = await createBundle(app);
    const { body } = await app.api.get(`${app.path}/builds?limit=1`);
    const [{ id }] = body as [{ id: string }];
    expect(await eventsOf(id)).toMatchObject([
      { type: 'app_build_created', data: { id, jobId: null, appBuildArtifactId: bundle.id } },
    ]);
  });
});

it('has events when an import is announced and has ended, with the reason', async () => {
  const { id, jobId, job } = await importFile(app, Buffer.from('no apk'));
  expect(await typesOf(jobId)).toEqual(['job_created', 'job_finished']);
  expect(await eventsOf(id)).toMatchObject([
    { type: 'app_build_created', data: { platform: 'android' } },
    { type: 'app_import_finished', data: { status: 'failed', statusMessage: job['statusMessage'] } },
  ]);
});

describe('a certificate', () => {
  const look = (): Promise<void> => runQueue(site, 'expiring-certificates');
  const expireIn = (id: string, interval: string) =>
    site.query(`UPDATE certificates SET expires_at = now() + $2::interval WHERE id = $1`, [id, interval]);

  it('has one event for each threshold, and none twice', async () => {
    const { id, name } = await createCertificate(app);
    for (const interval of ['40 days', '29 days', '28 days', '12 hours', '-1 hour', '-2 hours']) {
      await expireIn(id, interval);
      await Promise.all([look(), look()]);
    }
    const data = { appCertificateId: id, name, platform: 'web' };
    expect(await eventsOf(id)).toMatchObject(
      ['30d', '1d', 'expired'].map((threshold) => ({
        type: 'app_certificate_expiring',
        appId: app.id,
        data: { ...data, threshold },
      })),
    );
  });

  it('has events again after it was renewed, and none when it expired long ago', async () => {
    const { id } = await createCertificate(app);
    for (const interval of ['6 days', '90 days', '6 days', '-8 days']) {
      await expireIn(id, interval);
      await look();
    }
    expect((await eventsOf(id)).map(({ data }) => data['threshold'])).toEqual(['7d', '7d']);
    await app.api.delete(`${app.path}/certificates/${id}`);
    await look();
    expect(await site.query('SELECT FROM event_conditions WHERE object_id = $1', [id])).toEqual([]);
  });
});

it('has an event when a provisioning profile expires, if it is used with a certificate', async () => {
  const { certificateId, profiles } = await createIosSigning(app);
  const unused = await createProfile(app);
  await site.query(
    `UPDATE provisioning_profiles SET expires_at = now() + interval '5 days' WHERE app_id = $1`,
    [app.id],
  );
  await runQueue(site, 'expiring-certificates');
  const [profile] = profiles;
  expect(await eventsOf(profile?.id ?? '')).toMatchObject([
    {
      type: 'app_provisioning_profile_expiring',
      appId: app.id,
      data: { appCertificateId: certificateId, type: 'ad-hoc', bundleId: 'com.example.app', threshold: '7d' },
    },
  ]);
  expect(await typesOf(unused.id)).toEqual([]);
});
