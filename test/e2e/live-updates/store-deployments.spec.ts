import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import {
  createDestination,
  createReleaseBuild,
  endSubmission,
  type StoreDeployment,
} from '../../support/stores/store-builds.js';

const database = testEnvironment().databaseUrl;
let app: TestApp;
let destination: { id: string; name: string };

beforeAll(async () => {
  app = await createApp();
  destination = await createDestination(app);
});

const post = (body: object, api: Api = app.api) => api.post(`${app.path}/deployments`, body);
const submit = (appBuildId: string, values: object = {}) =>
  post({ appBuildId, appDestinationId: destination.id, ...values });

describe('a deployment to a destination', () => {
  it('has a job, its notes and a submission', async () => {
    const appBuildId = await createReleaseBuild(app);
    const releaseNotes = { default: 'Faster.', 'de-DE': 'Schneller.' };
    const values = { releaseNotes, rolloutPercentage: 0.25, inAppUpdatePriority: 5 };
    const created = expectCreated<StoreDeployment>(await submit(appBuildId, values));
    const expected = {
      id: expect.any(String) as string,
      appId: app.id,
      appBuildId,
      appChannelId: null,
      appChannelName: null,
      appDestinationId: destination.id,
      appDestinationName: destination.name,
      jobId: expect.any(String) as string,
      rolloutPercentage: 0.25,
      approvalStatus: 'approved',
      requiredApprovals: 0,
      createdByUserId: app.tenant.owner.userId,
      createdBy: { id: app.tenant.owner.userId, name: null, email: app.tenant.owner.email },
      emergency: null,
      releaseNotes,
      warnings: [],
    };
    // Of the bundle whose bytes the file of the build has.
    expect(created).toMatchObject({ ...expected, warnings: [{ code: 'older_web_code' }] });
    const path = `${app.path}/deployments/${created.id}`;
    const { body } = await app.api.get(`${path}?relations=appBuild,job,job.jobLogs`);
    expect(body).toMatchObject({
      ...expected,
      appBuild: { id: appBuildId },
      job: {
        id: created.jobId,
        appBuildId: null,
        appDeploymentId: created.id,
        platform: 'android',
        stack: 'macos-tahoe',
        createdBy: app.tenant.owner.userId,
        jobLogs: expect.any(Array) as unknown,
      },
      submission: { track: 'internal', versionCode: '42', rolloutPercentage: 0.25 },
    });
    const [stored] = await query(database, 'SELECT * FROM submissions WHERE id = $1', [created.id]);
    expect(stored).toMatchObject({
      package_name: 'com.example.app',
      version_name: '1.4.0',
      signer_sha256: 'ab'.repeat(32),
      in_app_update_priority: 5,
      user_fraction: 0.25,
      release_status: 'completed',
      release_notes: releaseNotes,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it('finds the destination by name among those of the platform; the id wins', async () => {
    const own = await createApp();
    await createDestination(own, { name: 'Store', platform: 'ios' });
    const android = await createDestination(own, { name: 'Store' });
    const other = await createDestination(own);
    const target = (values: object) => own.api.post(`${own.path}/deployments`, values);
    const byName = await target({
      appBuildId: await createReleaseBuild(own),
      appDestinationName: 'STORE',
      appDestinationId: null,
    });
    expect(byName.body).toMatchObject({ appDestinationId: android.id });
    const byId = await target({
      appBuildId: await createReleaseBuild(own),
      appDestinationName: 'unknown',
      appDestinationId: other.id,
    });
    expect(byId.body).toMatchObject({ appDestinationId: other.id });
  });

  it('has the notes of the build unless the request has some', async () => {
    const values = { release_notes: JSON.stringify({ default: 'Of the build.' }) };
    const own = await submit(await createReleaseBuild(app, {}, values));
    expect(own.body).toMatchObject({ releaseNotes: { default: 'Of the build.' } });
    const others = await submit(await createReleaseBuild(app, {}, values), {
      releaseNotes: { default: 'x' },
    });
    expect(others.body).toMatchObject({ releaseNotes: { default: 'x' } });
  });

  it('is found by its destination, and in the list of all, newest first', async () => {
    const own = await createDestination(app);
    const create = async () =>
      expectCreated<StoreDeployment>(
        await submit(await createReleaseBuild(app), { appDestinationId: own.id }),
      ).id;
    const [first, second] = [await create(), await create()];
    const list = await app.api.get(`${app.path}/deployments?appDestinationId=${own.id}&relations=job`);
    expect(list.headers['x-total-count']).toBe('2');
    expect(list.body).toMatchObject([
      { id: second, appDestinationName: own.name, job: { appDeploymentId: second } },
      { id: first, submission: { versionCode: '42' } },
    ]);
    const all = (await app.api.get(`${app.path}/deployments?limit=10`)).body as { id: string }[];
    expect(all.map(({ id }) => id).filter((id) => [first, second].includes(id))).toEqual([second, first]);
  });

  it('is a 404 for builds and destinations of others', async () => {
    const other = await createApp();
    const foreign = await createDestination(other);
    const appBuildId = await createReleaseBuild(app);
    for (const appDestinationId of [foreign.id, uuid()]) {
      expectError(await submit(appBuildId, { appDestinationId }), 404, 'destination_not_found');
    }
    const byName = await post({ appBuildId, appDestinationName: foreign.name });
    expectError(byName, 404, 'destination_not_found');
    expectError(await submit(await createReleaseBuild(other)), 404, 'build_not_found');
    expectError(await submit(uuid()), 404, 'build_not_found');
  });

  it('needs both permissions', async () => {
    const appBuildId = await createReleaseBuild(app);
    const body = { appBuildId, appDestinationId: destination.id };
    const needed = ['apps:read', 'builds:read', 'deployments:write', 'submissions:write'];
    for (const missing of ['deployments:write', 'submissions:write']) {
      const permissions = needed.filter((permission) => permission !== missing);
      const { token } = await createToken(app.api, { permissions });
      expectError(await post(body, new Api(app.api.origin, token)), 403);
    }
    const { token } = await createToken(app.api, { permissions: needed });
    expect((await post(body, new Api(app.api.origin, token))).status).toBe(201);
  });

  it('is counted: a 409 above the limit says so', async () => {
    const own = await createApp();
    const target = await createDestination(own);
    await query(
      database,
      `WITH job AS (INSERT INTO jobs (id, organization_id, app_id, kind, subject_id, platform, stack, status, timeout_seconds)
                    SELECT gen_random_uuid(), $1, $2, 'submission', gen_random_uuid(), 'android', 'macos-tahoe', 'queued', 86400
                      FROM generate_series(1, 100) RETURNING id, subject_id)
       INSERT INTO submissions (id, app_id, destination_id, job_id, type, package_name, version_code, artifact_id,
                                artifact_type, blob_id, size_in_bytes, sha256, step)
       SELECT subject_id, $2, $3, id, 'google-play', 'com.example.app', '1', gen_random_uuid(), 'aab',
              gen_random_uuid(), 1, 'x', 'check' FROM job`,
      [own.tenant.organizationId, own.id, target.id],
    );
    const response = await own.api.post(`${own.path}/deployments`, {
      appBuildId: await createReleaseBuild(own),
      appDestinationId: target.id,
    });
    expectError(response, 409, 'limit_reached');
    expect((await own.api.get(`${own.path}/deployments?appDestinationId=${target.id}`)).body).toEqual([]);
  });
});

describe('the same request again', () => {
  it('returns the first deployment as long as its submission is open, and then makes another one', async () => {
    const appBuildId = await createReleaseBuild(app);
    const releaseNotes = { default: 'Faster.', 'de-DE': 'Schneller.' };
    const first = expectCreated<StoreDeployment>(await submit(appBuildId, { releaseNotes }));
    const again = { 'de-DE': 'Schneller.', default: 'Faster.' };
    const second = expectCreated<StoreDeployment>(
      await submit(appBuildId, { releaseNotes: again, rolloutPercentage: 1 }),
    );
    expect(second.id).toBe(first.id);
    for (const other of [
      {},
      { releaseNotes, rolloutPercentage: 0.5 },
      { releaseNotes, inAppUpdatePriority: 1 },
      { releaseNotes, cancelRunningReview: true },
    ]) {
      expectError(await submit(appBuildId, other), 409, 'submission_open');
    }
    await endSubmission(first, 'failed');
    const third = expectCreated<StoreDeployment>(await submit(appBuildId));
    expect(third.id).not.toBe(first.id);
  });

  it('makes one deployment, also ten times at once', async () => {
    const appBuildId = await createReleaseBuild(app);
    const responses = await Promise.all(Array.from({ length: 10 }, () => submit(appBuildId)));
    const ids = responses.map((response) => expectCreated<StoreDeployment>(response).id);
    expect(new Set(ids).size).toBe(1);
    const list = await app.api.get(`${app.path}/deployments?appBuildId=${appBuildId}`);
    expect(list.headers['x-total-count']).toBe('1');
  });

  it('makes one of two different ones at once', async () => {
    const appBuildId = await createReleaseBuild(app);
    const [one, other] = await Promise.all([
      submit(appBuildId, { rolloutPercentage: 0.1 }),
      submit(appBuildId, { rolloutPercentage: 0.2 }),
    ]);
    expect([one.status, other.status].sort()).toEqual([201, 409]);
  });
});
