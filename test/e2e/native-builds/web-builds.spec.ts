import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createCertificate, pem, privateKey } from '../../builders/certificate.js';
import { createChannel } from '../../builders/channel.js';
import { createEnvironment } from '../../builders/environment.js';
import { createMember } from '../../builders/identities.js';
import { publishZip } from '../../builders/publication.js';
import { createRunner } from '../../builders/runner.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { expectInstallable } from '../../support/devices/expect-installable.js';
import { recordedEvents } from '../../support/events/recorded-events.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import type { TestBundle } from '../../builders/bundle.js';
import { MANIFEST, manifestOf, postFile } from '../../support/live-updates/uploads.js';
import { zipOf } from '../../support/live-updates/archives.js';
import {
  announceArtifact,
  finishJob,
  startBuild,
  takeJob,
  type TestBuild,
  uploadArtifact,
} from '../../support/native-builds/leases.js';
import { sendLog, type TestLease } from '../../support/jobs/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

interface ShownBuild {
  readonly appBuildArtifactId: string | null;
  readonly appBuildArtifacts: readonly {
    readonly id: string;
    readonly type: string;
    readonly status: string;
  }[];
  readonly job: { readonly status: string };
  readonly channelDeployments: readonly {
    readonly appChannelId: string;
    readonly status: string;
    readonly statusMessage: string | null;
    readonly appDeploymentId: string | null;
  }[];
}

let app: TestApp;
let source: string;
let web: Buffer;

beforeAll(async () => {
  app = await createApp();
  source = await uploadSource(app, { 'package.json': '{}' });
  web = await zipOf({ 'index.html': '<html>built' });
});

/** Starts a build and takes its job. */
async function begin(
  values: object = {},
  own = app,
  from = source,
): Promise<TestBuild & { lease: TestLease }> {
  const build = await startBuild(own, { appBuildSourceId: from, ...values });
  return { ...build, lease: await takeJob(build.jobId) };
}

async function shown({ id }: Pick<TestBuild, 'id'>, own = app): Promise<ShownBuild> {
  const { body } = await own.api.get(`${own.path}/builds/${id}?relations=job,appBuildArtifacts`);
  return body as ShownBuild;
}

describe('a build of a source', () => {
  it('becomes a bundle that can be deployed and that devices install', async () => {
    const build = await begin();
    expect(await shown(build)).toMatchObject({ job: { status: 'in_progress' }, appBuildArtifacts: [] });
    const { id, completed } = await uploadArtifact(build.lease, web);
    expect([completed.status, completed.body]).toEqual([200, {}]);
    expect(await shown(build)).toMatchObject({ appBuildArtifacts: [{ id, type: 'zip', status: 'pending' }] });
    const download = `${app.path}/builds/${build.id}/artifacts/${id}/download`;
    expectError(await app.api.get(download), 404, 'build_artifact_not_found');
    const deployment = { appBuildId: build.id, appChannelId: app.defaultChannelId };
    expectInvalid(await app.api.post(`${app.path}/deployments`, deployment), 'appBuildId');
    expect((await finishJob(build.lease)).status).toBe(200);
    expect(await shown(build)).toMatchObject({
      job: { status: 'succeeded' },
      appBuildArtifactId: id,
      appBuildArtifacts: [{ id, type: 'zip', status: 'ready', fileName: 'app.zip' }],
    });
    expect((await app.api.request('get', download)).status).toBe(200);
    expectCreated(await app.api.post(`${app.path}/deployments`, deployment));
    await expectInstallable(testEnvironment().origin, app.id, id, 'zip');
    const device = new AndroidDevice({ appId: app.id });
    expect((await device.sync()).bundleId).toBe(id);
  });

  it('ends once', async () => {
    const { lease } = await begin();
    await uploadArtifact(lease, web);
    const [first, second] = await Promise.all([finishJob(lease), finishJob(lease)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await finishJob(lease)).body).toEqual({ status: 'succeeded' });
  });

  it('does not succeed without its zip', async () => {
    const build = await begin();
    expectError(await finishJob(build.lease), 409, 'artifact_missing');
    expect((await announceArtifact(build.lease, web, { type: 'zip' })).status).toBe(201);
    expectError(await finishJob(build.lease), 409, 'artifact_missing');
    expect((await shown(build)).job.status).toBe('in_progress');
    expect((await uploadArtifact(build.lease, web)).completed.status).toBe(200);
    expect((await finishJob(build.lease)).status).toBe(200);
  });

  it('keeps no artifact when it fails or is canceled', async () => {
    const failed = await begin();
    await uploadArtifact(failed.lease, web);
    expect((await finishJob(failed.lease, 'failed')).status).toBe(200);
    expect(await shown(failed)).toMatchObject({ job: { status: 'failed' }, appBuildArtifacts: [] });
    const canceled = await begin();
    const { id } = await uploadArtifact(canceled.lease, web);
    expect((await app.api.patch(`/v1/jobs/${canceled.jobId}`, { status: 'canceled' })).status).toBe(200);
    expect(await shown(canceled)).toMatchObject({ job: { status: 'canceled' }, appBuildArtifacts: [] });
    expectError(await finishJob(canceled.lease), 410, 'lease_lost');
    expectError(await announceArtifact(canceled.lease, web, { type: 'zip' }), 410, 'lease_lost');
    expectError(await app.api.get(`${app.path}/bundles/${id}`), 404, 'bundle_not_found');
  });

  it('cannot be deleted while it runs', async () => {
    const build = await begin();
    const { id } = await uploadArtifact(build.lease, web);
    expectError(await app.api.delete(`${app.path}/bundles/${id}`), 409, 'build_running');
    expect((await finishJob(build.lease)).status).toBe(200);
    expect((await app.api.delete(`${app.path}/bundles/${id}`)).status).toBe(204);
  });

  it('ends with its app', async () => {
    const own = await createApp();
    const build = await begin({}, own, await uploadSource(own));
    expect((await own.api.delete(own.path)).status).toBe(204);
    const response = await finishJob(build.lease);
    expect([401, 410]).toContain(response.status);
  });
});

it('is listed with its log', async () => {
  const own = await createApp();
  const { id, lease } = await begin({}, own, await uploadSource(own));
  await sendLog(lease, 0, 'Installing\n');
  const path = `${own.path}/builds?relations=job.jobLogs`;
  const response = await own.api.get(path);
  const jobLogs = [{ number: 1, payload: 'Installing' }];
  expect(response.body).toMatchObject([{ id, job: { status: 'in_progress', jobLogs } }]);
  const { etag = '', 'x-total-count': total } = response.headers;
  expect(total).toBe('1');
  const again = () => own.api.request('get', path).set('If-None-Match', etag);
  expect((await again()).status).toBe(304);
  await sendLog(lease, 11, 'Building\n');
  expect((await again()).status).toBe(200);
});

describe('the payload of a build', () => {
  it('has the source, the variables and the secrets, for the runner of the job alone', async () => {
    const environment = await createEnvironment(app);
    await app.api.post(`${environment.path}/variables/set`, [
      { key: 'API_URL', value: 'https://a.example.com' },
      { key: 'STAGE', value: 'test' },
    ] as unknown as object);
    await app.api.post(`${environment.path}/secrets/set`, [
      { key: 'NPM_TOKEN', value: 'very-secret' },
    ] as unknown as object);
    const build = await begin({
      appEnvironmentName: environment.name,
      adHocEnvironmentVariables: { STAGE: 'nightly' },
    });
    const response = await build.lease.api.get('/v1/runner/job/payload');
    expect(response.status).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toMatchObject({
      job: { id: build.jobId, attempt: 1, platform: 'web', stack: 'macos-tahoe' },
      app: { id: app.id },
      build: { id: build.id },
      source: {
        type: 'archive',
        downloadPath: '/v1/runner/job/source',
        sha256: expect.any(String) as string,
      },
      environment: {
        API_URL: 'https://a.example.com',
        STAGE: 'nightly',
        CI: 'true',
        CI_APP_ID: app.id,
        CI_BUILD_ID: build.id,
        CI_PLATFORM: 'web',
      },
      secrets: { NPM_TOKEN: 'very-secret' },
      certificate: null,
      configuration: null,
      masks: ['very-secret'],
    });
    const download = await build.lease.api.request('get', '/v1/runner/job/source').buffer(true);
    expect(download.status).toBe(200);
    expect(download.headers['x-job-status']).toBe('running');
    expectError(await new Api(testEnvironment().origin, null).get('/v1/runner/job/payload'), 401);
    expectError(await app.api.get('/v1/runner/job/payload'), 401);
    await finishJob(build.lease, 'failed');
    expectError(await build.lease.api.get('/v1/runner/job/payload'), 410, 'lease_lost');
    const [row] = await query<{ sealed: string }>(
      testEnvironment().databaseUrl,
      'SELECT sealed_ad_hoc_variables AS sealed FROM builds WHERE id = $1',
      [build.id],
    );
    expect(row?.sealed).toMatch(/^v1\./);
    const events = await auditEvents(app.tenant, `appId=${app.id}`);
    expect(JSON.stringify(events)).toContain('environment-secrets-read');
    expect(JSON.stringify(events)).not.toMatch(/very-secret|nightly/);
  });

  it.each(['CI', 'CI_X', 'PATH', 'A\nB', 'a-b'])('cannot have the variable %j', async (key) => {
    const body = JSON.parse(
      `{"platform":"web","appBuildSourceId":"${source}","adHocEnvironmentVariables":{${JSON.stringify(key)}:"x"}}`,
    ) as object;
    expectInvalid(await app.api.post(`${app.path}/builds`, body), 'adHocEnvironmentVariables');
  });
});

describe('a runner', () => {
  it('reports what it built', async () => {
    const build = await begin();
    const patch = (body: object) => build.lease.api.patch('/v1/runner/job/build', body);
    expect((await patch({ gitCommitSha: 'a'.repeat(40), packageVersion: '1.2.3' })).status).toBe(200);
    expect((await patch({ gitCommitMessage: 'Fix' })).status).toBe(200);
    expect((await patch({})).status).toBe(200);
    expect(await shown(build)).toMatchObject({
      gitCommitSha: 'a'.repeat(40),
      gitCommitMessage: 'Fix',
      packageVersion: '1.2.3',
    });
    expectInvalid(await patch({ gitCommitSha: 'main' }), 'gitCommitSha');
  });

  it('that lies about its artifact is refused', async () => {
    const [mine, other] = [await begin(), await begin()];
    const { id } = await uploadArtifact(other.lease, web);
    const path = `/v1/runner/job/artifacts/${id}/upload`;
    expectError(await mine.lease.api.post(`${path}?action=mpu-create`, {}), 404, 'build_artifact_not_found');
    expectInvalid(await announceArtifact(mine.lease, web, { type: 'apk' }), 'type');
    expectInvalid(await announceArtifact(mine.lease, web, { type: 'zip', fileName: '../a.zip' }), 'fileName');
    expectInvalid(
      await announceArtifact(mine.lease, web, { type: 'zip', fileSizeInBytes: 5_000_000_000 }),
      'fileSizeInBytes',
    );
    const wrong = await uploadArtifact(mine.lease, web, { type: 'zip', sha256: 'a'.repeat(64) });
    expectInvalid(wrong.completed, 'parts');
    const longer = await uploadArtifact(mine.lease, web, { type: 'zip', fileSizeInBytes: web.length + 1 });
    expectInvalid(longer.completed, 'parts');
    expectError(await finishJob(mine.lease), 409, 'artifact_missing');
  });

  it('can repeat an announcement, and not replace what is complete', async () => {
    const { lease } = await begin();
    const first = await announceArtifact(lease, web, { type: 'zip' });
    const second = await announceArtifact(lease, web, { type: 'zip' });
    expect(second.body).toEqual(first.body);
    await uploadArtifact(lease, web);
    const other = await zipOf({ 'index.html': 'other' });
    expectError(await announceArtifact(lease, other, { type: 'zip' }), 409, 'conflict');
  });

  it('cannot publish what is no bundle', async () => {
    const build = await begin();
    const { id, completed } = await uploadArtifact(build.lease, await zipOf({ 'app.js': 'x' }));
    expect(expectError(completed, 400, 'invalid_zip').message).toContain('index.html');
    expectError(await app.api.get(`${app.path}/bundles/${id}`), 404, 'bundle_not_found');
    expect((await shown(build)).appBuildArtifacts).toEqual([]);
    expect((await uploadArtifact(build.lease, web)).completed.status).toBe(200);
    expect((await finishJob(build.lease)).status).toBe(200);
  });
});

describe('a signed build', () => {
  it('can be deployed to a protected channel and is verified by devices', async () => {
    const own = await createApp();
    const { id: certificate } = await createCertificate(
      own,
      { password: 'secret horse' },
      pem('secret horse'),
    );
    const channel = await createChannel(own, { protected: true });
    const from = await uploadSource(own);
    const plain = await begin({ appChannelIds: [channel.id] }, own, from);
    await uploadArtifact(plain.lease, web);
    await finishJob(plain.lease);
    await eventually(async () => {
      expect((await shown(plain, own)).channelDeployments).toMatchObject([
        { status: 'failed', statusMessage: expect.stringContaining('is protected') as string },
      ]);
    });
    const build = await begin({ appCertificateId: certificate, appChannelIds: [channel.id] }, own, from);
    const { body } = await build.lease.api.get('/v1/runner/job/payload');
    expect(body).toMatchObject({ certificate: null });
    expect(JSON.stringify(body)).not.toMatch(/PRIVATE|secret horse/);
    const { id, completed } = await uploadArtifact(build.lease, web);
    expect(completed.status).toBe(200);
    expect((await finishJob(build.lease)).status).toBe(200);
    await expectInstallable(testEnvironment().origin, own.id, id, 'zip', privateKey);
    await eventually(async () => {
      expect((await shown(build, own)).channelDeployments).toMatchObject([{ status: 'deployed' }]);
    });
  });
});

describe('a certificate of which no opened key is kept', () => {
  it('is opened once when it signs, which does not change it', async () => {
    const own = await createApp();
    const { id } = await createCertificate(own, { password: 'secret horse' }, pem('secret horse'));
    const keyOf = async (): Promise<string | null> => {
      const [row] = await query<{ sealed_signing_key: string | null }>(
        testEnvironment().databaseUrl,
        'SELECT sealed_signing_key FROM certificates WHERE id = $1',
        [id],
      );
      return row!.sealed_signing_key;
    };
    await query(
      testEnvironment().databaseUrl,
      'UPDATE certificates SET sealed_signing_key = NULL WHERE id = $1',
      [id],
    );
    const { body: before } = await own.api.get(`${own.path}/certificates/${id}`);
    const from = await uploadSource(own);
    const keys: (string | null)[] = [];
    for (const bytes of [web, await zipOf({ 'index.html': '<html>second' })]) {
      const build = await begin({ appCertificateId: id }, own, from);
      const artifact = await uploadArtifact(build.lease, bytes);
      expect(artifact.completed.status).toBe(200);
      expect((await finishJob(build.lease)).status).toBe(200);
      keys.push(await keyOf());
    }
    expect(keys).toEqual([expect.stringMatching(/^v1\./), keys[0]]);
    expect((await own.api.get(`${own.path}/certificates/${id}`)).body).toEqual(before);
    const actions = (await auditEvents(own.tenant, `objectId=${id}`)).map(({ action }) => action);
    expect(actions).not.toContain('updated');
  });
});

describe('a build for channels', () => {
  const finishNew = async (values: object): Promise<TestBuild> => {
    const build = await begin(values);
    await uploadArtifact(build.lease, web);
    expect((await shown(build)).channelDeployments).toMatchObject([{ status: 'waiting' }]);
    expect((await finishJob(build.lease)).status).toBe(200);
    return build;
  };
  const outcome = async (build: TestBuild, status: string) => {
    await eventually(async () => expect((await shown(build)).channelDeployments[0]?.status).toBe(status));
    return (await shown(build)).channelDeployments[0];
  };

  /** Of the log, wherever it is stored by now. */
  const lastLineOf = async ({ jobId }: TestBuild): Promise<string | undefined> => {
    const { body } = await app.api.get(`/v1/jobs/${jobId}?relations=jobLogs`);
    return (body as { jobLogs: { payload: string }[] }).jobLogs.at(-1)?.payload;
  };

  it('is not deployed where devices of the channel would mix files, and its log says why', async () => {
    const channel = await createChannel(app);
    const served = await publishZip(
      app,
      { 'index.html': '<html>', [MANIFEST]: manifestOf({ 'index.html': '<html>' }) },
      { values: { channelName: channel.name } },
    );
    const build = await begin({ appChannelIds: [channel.id] });
    await sendLog(build.lease, 0, 'Built\n');
    const { id } = await uploadArtifact(build.lease, web);
    // Runners make zips, which are safe: as if it were a signed manifest.
    await query(
      testEnvironment().databaseUrl,
      `INSERT INTO unsafe_reuses (app_id, bundle_id, running_bundle_id, kind, href) VALUES ($1, $2, $3, 'content', 'a.js')`,
      [app.id, id, served.id],
    );
    expect((await finishJob(build.lease)).status).toBe(200);
    const failure = (await outcome(build, 'failed'))?.statusMessage;
    expect(failure).toContain('a.js would keep the content of build');
    expect(await lastLineOf(build)).toBe(
      `The build was not deployed to the channel ${channel.name}: ${failure}`,
    );
    await eventually(async () => {
      const [log] = await query<{ moved: boolean }>(
        testEnvironment().databaseUrl,
        'SELECT archived_at IS NOT NULL AS moved FROM job_logs WHERE id = $1',
        [build.jobId],
      );
      expect(log).toEqual({ moved: true });
    });
    const { body } = await app.api.get(`/v1/jobs/${build.jobId}?relations=jobLogs`);
    expect((body as { jobLogs: { payload: string }[] }).jobLogs.map(({ payload }) => payload)).toEqual([
      'Built',
      `The build was not deployed to the channel ${channel.name}: ${failure}`,
    ]);
  });

  it('is deployed as the user who started it; ids win over names', async () => {
    const [one, two] = [await createChannel(app), await createChannel(app)];
    const byName = await finishNew({ appChannelNames: [one.name, one.name] });
    const deployed = await outcome(byName, 'deployed');
    const { body } = await app.api.get(`${app.path}/deployments/${deployed?.appDeploymentId}?relations=job`);
    expect(body).toMatchObject({
      appBuildId: byName.id,
      appChannelId: one.id,
      createdByUserId: app.tenant.owner.userId,
      jobId: null,
      job: { id: deployed?.appDeploymentId, status: 'succeeded' },
      rolloutPercentage: 1,
    });
    const events = await recordedEvents({ objectId: deployed?.appDeploymentId ?? '' });
    const { userId } = app.tenant.owner;
    expect(events).toMatchObject([
      { type: 'app_deployment_created', userId },
      { type: 'app_deployment_live', userId },
    ]);
    const byId = await finishNew({ appChannelId: two.id, appChannelNames: ['unknown'] });
    expect(await outcome(byId, 'deployed')).toMatchObject({ appChannelId: two.id });
  });

  it('waits for approvals, and shows freezes, deleted channels and lost roles', async () => {
    const approved = await createChannel(app, { requiredApprovals: 1 });
    const pending = await outcome(await finishNew({ appChannelIds: [approved.id] }), 'deployed');
    const { body } = await app.api.get(`${app.path}/deployments/${pending?.appDeploymentId}`);
    expect(body).toMatchObject({ approvalStatus: 'pending' });
    const frozen = await createChannel(app);
    const build = await begin({ appChannelIds: [frozen.id] });
    await uploadArtifact(build.lease, web);
    const [from, to] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const freezeWindows = [{ from, to, reason: 'Holidays' }];
    expect((await app.api.patch(`${app.path}/channels/${frozen.id}`, { freezeWindows })).status).toBe(200);
    expect((await finishJob(build.lease)).status).toBe(200);
    const failure = (await outcome(build, 'failed'))?.statusMessage;
    expect(failure).toContain('is frozen until');
    expect(await lastLineOf(build)).toBe(
      `The build was not deployed to the channel ${frozen.name}: ${failure}`,
    );
    const gone = await createChannel(app);
    const late = await begin({ appChannelIds: [gone.id] });
    await uploadArtifact(late.lease, web);
    expect((await app.api.delete(`${app.path}/channels/${gone.id}`)).status).toBe(204);
    expect((await finishJob(late.lease)).status).toBe(200);
    expect(await outcome(late, 'failed')).toMatchObject({ statusMessage: 'Channel not found.' });
    expect(await lastLineOf(late)).toBe(
      `The build was not deployed to the channel ${gone.id}: Channel not found.`,
    );
    const event = (await auditEvents(app.tenant, 'objectType=build-deployment&action=updated')).at(-1);
    expect(event).toMatchObject({ after: { status: 'failed', statusMessage: 'Channel not found.' } });
  });

  it('is not deployed by a user who may not any more', async () => {
    const member = await createMember(app.tenant, 'member');
    const channel = await createChannel(app);
    const response = await member.api.post(`${app.path}/builds`, {
      platform: 'web',
      appBuildSourceId: source,
      appChannelIds: [channel.id],
    });
    const build = expectCreated<TestBuild>(response);
    const lease = await takeJob(build.jobId);
    await uploadArtifact(lease, web);
    await query(testEnvironment().databaseUrl, `UPDATE members SET role = 'viewer' WHERE id = $1`, [
      member.memberId,
    ]);
    expect((await finishJob(lease)).status).toBe(200);
    expect(await outcome(build, 'failed')).toMatchObject({ statusMessage: 'Not authorized.' });
  });

  it.each(['failed', 'canceled'])('is not deployed when it has %s', async (status) => {
    const channel = await createChannel(app);
    const build = await begin({ appChannelIds: [channel.id] });
    if (status === 'failed') await finishJob(build.lease, status);
    else await app.api.patch(`/v1/jobs/${build.jobId}`, { status });
    expect((await shown(build)).channelDeployments).toMatchObject([
      { status: 'failed', statusMessage: 'The build did not succeed.', appDeploymentId: null },
    ]);
  });

  it('is refused for channels of others and for native builds', async () => {
    const other = await createApp();
    const post = (values: object) =>
      app.api.post(`${app.path}/builds`, { platform: 'web', appBuildSourceId: source, ...values });
    expectError(await post({ appChannelIds: [other.defaultChannelId] }), 404, 'channel_not_found');
    expectError(await post({ appChannelNames: ['unknown'] }), 404, 'channel_not_found');
    expectError(await post({ appDestinationId: uuid() }), 404, 'destination_not_found');
    expectInvalid(await post({ platform: 'ios', appChannelIds: [app.defaultChannelId] }), 'appChannelIds');
    expectInvalid(await post({ appChannelIds: ['production'] }), 'appChannelIds');
  });

  it('needs the permission to deploy', async () => {
    const { body } = await app.api.post('/v1/tokens', {
      name: 'Builds only',
      permissions: ['apps:read', 'builds:read', 'builds:write'],
    });
    const api = new Api(testEnvironment().origin, (body as { token: string }).token);
    const post = (values: object) =>
      api.post(`${app.path}/builds`, { platform: 'web', appBuildSourceId: source, ...values });
    expect((await post({})).status).toBe(201);
    expectError(await post({ appChannelIds: [app.defaultChannelId] }), 403, 'token_limited');
  });
});

describe('a new build', () => {
  const post = (values: object) => app.api.post(`${app.path}/builds`, values);

  it('has a type of its platform', async () => {
    const report = { platforms: ['ios'], stacks: ['macos-tahoe'] };
    await createRunner(app.tenant, {}, report);
    const started = async (values: object) =>
      expectCreated<{ type: string | null }>(await post({ appBuildSourceId: source, ...values })).type;
    expect(await started({ platform: 'android' })).toBe('debug');
    expect(await started({ platform: 'ios' })).toBe('simulator');
    expect(await started({ platform: 'web', type: null })).toBeNull();
    expectInvalid(await post({ platform: 'web', type: 'debug', appBuildSourceId: source }), 'type');
    expectInvalid(await post({ platform: 'android', type: 'simulator', appBuildSourceId: source }), 'type');
  });

  it('of the web and for Android takes any stack for a hint', async () => {
    for (const platform of ['web', 'android']) {
      const { jobId } = await startBuild(app, { platform, appBuildSourceId: source, stack: 'linux-6' });
      expect((await app.api.get(`/v1/jobs/${jobId}`)).body).toMatchObject({ stack: 'linux-6' });
    }
  });

  it('is made once by equal requests with one Idempotency-Key', async () => {
    const own = await createApp();
    const body = { platform: 'web', appBuildSourceId: await uploadSource(own) };
    const key = uuid();
    const send = () => own.api.request('post', `${own.path}/builds`).set('Idempotency-Key', key).send(body);
    const responses = await Promise.all([send(), send(), send()]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    const ids = responses.map((response) => (response.body as TestBuild).id);
    expect(new Set(ids).size).toBe(1);
    expect((await own.api.get(`${own.path}/builds`)).body).toMatchObject([{ id: ids[0] }]);
  });

  it('is refused when it contradicts itself or uses what is not its own', async () => {
    const other = await createApp();
    const foreign = await uploadSource(other);
    const environment = await createEnvironment(other);
    expectInvalid(await post({ platform: 'web' }), 'gitRef');
    expectInvalid(await post({ platform: 'web', gitRef: 'main', appBuildSourceId: source }), 'gitRef');
    expectInvalid(await post({ platform: 'web', appBuildSourceId: source, stack: 'Linux 6' }), 'stack');
    expectError(await post({ platform: 'web', gitRef: 'main' }), 404, 'app_repository_not_found');
    expectError(await post({ platform: 'web', appBuildSourceId: foreign }), 404, 'build_source_not_found');
    expectError(
      await post({ platform: 'web', appBuildSourceId: source, appEnvironmentId: environment.id }),
      404,
      'environment_not_found',
    );
    expectInvalid(
      await post({ platform: 'web', appBuildSourceId: source, releaseNotes: { de: 'x'.repeat(4001) } }),
      'releaseNotes',
    );
  });
});

it('is neither changed nor published by requests for bundles before its job has ended', async () => {
  const { lease } = await begin();
  const { id } = await uploadArtifact(lease, web);
  const bundle = { id, api: app.api, path: `${app.path}/bundles/${id}` };
  const file = { href: undefined, name: 'other.zip' };
  const replaced = await postFile(
    bundle as TestBundle,
    await zipOf({ 'index.html': 'other' }),
    file as never,
  );
  expectError(replaced, 409, 'conflict');
  expectError(await app.api.patch(bundle.path, { artifactStatus: 'ready' }), 409, 'conflict');
  expect((await finishJob(lease)).status).toBe(200);
});

it('keeps its certificate and its environment until it has ended', async () => {
  const certificate = await createCertificate(app, {}, pem());
  const environment = await createEnvironment(app);
  const { lease } = await begin({ appCertificateId: certificate.id, appEnvironmentId: environment.id });
  for (const path of [`${app.path}/certificates/${certificate.id}`, environment.path])
    expectError(await app.api.delete(path), 409, 'conflict');
  await finishJob(lease, 'failed');
  for (const path of [`${app.path}/certificates/${certificate.id}`, environment.path])
    expect((await app.api.delete(path)).status).toBeLessThan(300);
});
