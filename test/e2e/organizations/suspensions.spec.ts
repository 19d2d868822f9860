import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { type Actor, createActor, createTenant, type Tenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { createRunner, queueJobs } from '../../builders/runner.js';
import { createToken } from '../../builders/token.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import { createJob, grantLease, readJob, startJob } from '../../support/jobs/leases.js';
import { makeApk } from '../../support/native-builds/apk-writer.js';
import { startImport } from '../../support/native-builds/imports.js';
import { type ProgramResult, runProgram } from '../../support/processes/programs.js';
import { resume as resumeTenant, suspend as suspendTenant } from '../../support/organizations/suspension.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';
import { uniqueName } from '../../support/unique-name.js';

const SENTENCE = 'The operator of this server has suspended the organization: Unpaid since May.';

let site: OwnSite;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ JOB_LEASE_SECONDS: '3' });
});
beforeEach(async () => {
  tenant = await createTenant(site);
  app = await createApp(tenant);
});
afterAll(() => site.dispose());

const run = (action: string, ...args: string[]): Promise<ProgramResult> =>
  runProgram(`organization ${action}`, site, { args });

const suspend = (): Promise<void> => suspendTenant(site, tenant);
const resume = (): Promise<void> => resumeTenant(site, tenant);

const refused = (response: Response): void => {
  expect(expectError(response, 403, 'organization_suspended').message).toBe(SENTENCE);
};

describe('slipway organization', () => {
  it('suspends and resumes, says what it did, and is in the audit log', async () => {
    const { organizationId: id, owner } = tenant;
    const path = `/v1/organizations/${id}`;
    const name = `The organization Tenant ${owner.userId} (${id})`;
    const done = (out: string): ProgramResult => ({ code: 0, out: `${name} ${out}\n`, err: '' });
    expect(await run('resume', id)).toEqual(done('is not suspended.'));
    expect(await run('suspend', id, '--reason', ' Unpaid. ')).toEqual(done('is suspended.'));
    expect((await owner.api.get(path)).body).toMatchObject({
      suspendedAt: expect.any(String) as string,
      suspensionReason: 'Unpaid.',
    });
    expect(await run('suspend', id.toUpperCase())).toEqual(done('is suspended already.'));
    expect(await run('suspend', id, '--reason', 'Unpaid since May.')).toEqual(
      done('is suspended already. The reason is now: Unpaid since May.'),
    );
    refused(await owner.api.patch(path, { name: 'Other' }));
    expect(await run('resume', id)).toEqual(
      done('is resumed. What has waited continues within five minutes.'),
    );
    expect((await owner.api.patch(path, { name: 'Other' })).body).toMatchObject({
      suspendedAt: null,
      suspensionReason: null,
    });
    const { body } = await owner.api.get(`${path}/audit-events?objectType=organization&action=updated`);
    expect(body).toMatchObject([
      { after: { name: 'Other' } },
      {
        before: { suspensionReason: 'Unpaid since May.' },
        after: { suspendedAt: null },
        actor: null,
      },
      { before: { suspensionReason: 'Unpaid.' }, after: { suspensionReason: 'Unpaid since May.' } },
      { before: { suspendedAt: null }, after: { suspensionReason: 'Unpaid.' }, actor: null },
    ]);
  });

  it.each([
    [[], 2, 'Name one organization by its id.'],
    [['acme'], 2, 'Name one organization by its id.'],
    [[randomUUID(), randomUUID()], 2, 'Name one organization by its id.'],
    [[randomUUID(), '--reason', 'two\nlines'], 2, '--reason must be one line of 1 to 200 characters.'],
    [[randomUUID(), '--reason', ' '], 2, '--reason must be one line of 1 to 200 characters.'],
    [
      ['0198c0de-7a1b-7c3d-8e4f-5a6b7c8d9e0f'],
      1,
      'There is no organization 0198c0de-7a1b-7c3d-8e4f-5a6b7c8d9e0f.',
    ],
  ])('suspend %j is refused', async (args, code, message) => {
    const result = await run('suspend', ...args);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toContain(message);
  });
});

describe('members of a suspended organization', () => {
  let guest: Actor;

  const invite = async (): Promise<string> =>
    expectCreated<{ id: string }>(
      await tenant.owner.api.post(`/v1/organizations/${tenant.organizationId}/invitations`, {
        email: guest.email,
        role: 'viewer',
      }),
    ).id;

  it('add no apps to it, and it gets no members, but invitations can be declined', async () => {
    guest = await createActor(site);
    const invitationId = await invite();
    const elsewhere = await createTenant(site);
    const movable = await createApp(elsewhere);
    await site.query(
      `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'admin')`,
      [tenant.organizationId, elsewhere.owner.userId],
    );
    await suspend();
    const { organizationId } = tenant;
    refused(await tenant.owner.api.post(`/v1/apps?organizationId=${organizationId}`, { name: 'Another' }));
    refused(await tenant.owner.api.post('/v1/apps', { name: 'Another' }));
    refused(await movable.api.post(`${movable.path}/transfer`, { organizationId }));
    refused(await guest.api.post(`/v1/invitations/${invitationId}/accept`));
    expect((await guest.api.post(`/v1/invitations/${invitationId}/reject`)).body).toMatchObject({
      status: 'rejected',
    });
    await resume();
    const again = await invite();
    expect((await guest.api.post(`/v1/invitations/${again}/accept`)).status).toBe(200);
    expect((await movable.api.post(`${movable.path}/transfer`, { organizationId })).status).toBe(200);
  });

  it('keep their tokens, and get the responses of requests that were done before when it is over', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const channel = { name: uniqueName('channel') };
    const post = (api: Api) => api.request('post', `${app.path}/channels`).set(key).send(channel);
    const first = await post(app.api);
    expect(first.status).toBe(201);
    await suspend();
    refused(await post(app.api));
    const { api } = await createToken(tenant.owner.api, { organizationIds: [tenant.organizationId] });
    expect((await api.get(`${app.path}/channels`)).status).toBe(200);
    refused(await post(api));
    await resume();
    const replayed = await post(app.api);
    expect([replayed.status, replayed.body]).toEqual([201, first.body]);
  });
});

it('serves devices as before', async () => {
  const bundle = await uploadBundle(app);
  const deviceId = await createDevice(app);
  const check = (): Promise<Response> => Promise.resolve(checkForUpdate(app, { deviceId }));
  const { body: before } = await check();
  await suspend();
  // A server that has just started knows nothing of the app.
  const second = await OwnSite.beside(site);
  const fresh = new Api(second.origin, null);
  const path = `${app.path}/bundles/latest?platform=0&pluginVersion=8.4.3`;
  expect((await fresh.get(`${path}&deviceId=${randomUUID()}`)).body).toMatchObject({ bundleId: bundle.id });
  await second.kill();
  expect((await check()).body).toEqual(before);
  const download = await new Api(site.origin, null).get(`${app.path}/bundles/${bundle.id}/download`);
  expect(download.status).toBe(200);
  const newcomer = await createDevice(app, { bundleId: bundle.id });
  expect((await app.api.get(`${app.path}/devices/${newcomer}`)).body).toMatchObject({ bundleId: bundle.id });
});

describe('jobs of a suspended organization', () => {
  it('are given to no runner, and run afterwards', async () => {
    const other = await createApp(await createTenant(site));
    const runner = await createRunner(tenant);
    await suspend();
    const [jobId] = await queueJobs(app, 1, {}, site);
    const theirs = await createRunner(other.tenant);
    const [otherId] = await queueJobs(other, 1, {}, site);
    const waiting = runner.claim();
    expect((await theirs.claim()).body).toMatchObject({ job: { id: otherId } });
    expect(await readJob(app, jobId ?? '')).toMatchObject({ status: 'queued' });
    await resume();
    const { body } = await waiting;
    expect(body).toMatchObject({ job: { id: jobId } });
  });

  it('that run end with the sentence, and those that have not started go back', async () => {
    const lease = await startJob(app, {}, site);
    const given = await grantLease(await createJob(app, {}, site), site);
    await suspend();
    expectError(await lease.api.put('/v1/runner/job/lease', {}), 410, 'lease_lost');
    expectError(await given.api.post('/v1/runner/job/start'), 410, 'lease_lost');
    const sentence = 'The organization is suspended.';
    await eventually(async () => {
      expect(await readJob(app, lease.jobId)).toMatchObject({ status: 'failed', statusMessage: sentence });
      expect(await readJob(app, given.jobId)).toMatchObject({ status: 'queued' });
    });
    const { jobLogs } = await readJob(app, lease.jobId);
    expect(jobLogs.map(({ payload }) => payload).join('\n')).toContain(sentence);
    const leases = await site.query('SELECT FROM job_leases WHERE job_id = ANY ($1)', [
      [lease.jobId, given.jobId],
    ]);
    expect(leases).toEqual([]);
  });

  it('are not rejected while they wait, and have their whole time again afterwards', async () => {
    const unmatched = await createJob(app, {}, site);
    const held = await createJob(app, { is_held: true }, site);
    const apk = await makeApk({ packageName: 'com.example.shop' });
    const started = await startImport(app, apk);
    const ids = [unmatched, held, started.jobId];
    await site.query(
      `UPDATE jobs SET queued_at = queued_at - interval '2 days', created_at = created_at - interval '2 days'
        WHERE id = ANY ($1)`,
      [ids],
    );
    const look = async (): Promise<unknown[]> => {
      await runQueue(site, 'unmatched-jobs');
      await runQueue(site, 'import-deadline');
      return Promise.all(ids.map(async (id) => (await readJob(app, id)).status));
    };
    await suspend();
    expect(await look()).toEqual(['queued', 'queued', 'queued']);
    await resume();
    expect(await look()).toEqual(['queued', 'queued', 'queued']);
    await site.query(`UPDATE organizations SET resumed_at = now() - interval '2 days' WHERE id = $1`, [
      tenant.organizationId,
    ]);
    expect(await look()).toEqual(['rejected', 'failed', 'failed']);
  });
});
