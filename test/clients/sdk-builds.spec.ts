import { createApp, type TestApp } from '../builders/app.js';
import { createRunner } from '../builders/runner.js';
import { Sdk } from '../support/http/sdk.js';
import { expectSdk, expectSdkList } from '../support/http/sdk-checks.js';
import {
  sdkArtifact,
  sdkBuild,
  sdkBuildSource,
  sdkFailureSummary,
  sdkJob,
  sdkJobLog,
  sdkSignedUrl,
} from '../support/http/sdk-types.js';
import { createFinishedBuild, type FinishedFile } from '../support/native-builds/finished-builds.js';
import { finishJob, takeJob } from '../support/native-builds/leases.js';
import { uploadSource } from '../support/native-builds/sources.js';

/*
 * Every request of the SDK about builds, artifacts, sources and jobs: each response has the fields and types that the SDK
 * declares, for Android, iOS and the web.
 */

let app: TestApp;
let sdk: Sdk;
let builds: string;

beforeAll(async () => {
  app = await createApp();
  sdk = new Sdk(app.tenant.owner.token);
  builds = `${app.path}/builds`;
  const stacks = ['macos-tahoe'];
  await createRunner(app.tenant, {}, { platforms: ['android', 'ios', 'web'], stacks, slots: 1 });
});

describe.each([
  ['android', 'debug'],
  ['ios', 'simulator'],
  ['web', undefined],
] as const)('builds of %s', (platform, type) => {
  it('are created, read, changed and listed, and their jobs read, explained and canceled', async () => {
    const start = async (): Promise<{ id: string; jobId: string }> => {
      const body = {
        platform,
        type,
        appBuildSourceId: await uploadSource(app),
        adHocEnvironmentVariables: { STAGE: 'beta' },
      };
      const { id, jobId } = expectSdk(sdkBuild, await sdk.request('POST', builds, { body }));
      return { id, jobId: jobId ?? '' };
    };
    const { id, jobId } = await start();
    const body = {
      displayName: 'Shop',
      packageName: 'com.example.app',
      packageVersion: '1.2.0',
      customProperties: { stage: 'beta' },
    };
    const changed = expectSdk(sdkBuild, await sdk.request('PATCH', `${builds}/${id}`, { body }));
    expect(changed).toMatchObject({ platform, type: type ?? null, packageVersion: '1.2.0' });
    expectSdk(sdkBuild, await sdk.request('GET', `${builds}/${id}`));
    const query = { platform, limit: 10, offset: 0 };
    expectSdkList(sdkBuild, await sdk.request('GET', builds, { query }));

    const lease = await takeJob(jobId);
    const line = 'It does not build.\n';
    await lease.api
      .request('patch', '/v1/runner/job/log')
      .set({ 'Content-Type': 'text/plain', 'Upload-Offset': '0' })
      .send(line);
    expect((await finishJob(lease, 'failed', line.length)).status).toBe(200);
    const job = expectSdk(sdkJob, await sdk.request('GET', `/v1/jobs/${jobId}`));
    expect(job).toMatchObject({ status: 'failed', stack: 'macos-tahoe', appBuildId: id });
    expectSdkList(sdkJobLog, await sdk.request('GET', `/v1/jobs/${jobId}/logs`));
    const summary = await sdk.request('POST', `/v1/jobs/${jobId}/failure-summary`);
    expect(expectSdk(sdkFailureSummary, summary).summary).toContain('The job failed.');

    const other = await start();
    const cancel = { body: { status: 'canceled' } };
    const canceled = expectSdk(sdkJob, await sdk.request('PATCH', `/v1/jobs/${other.jobId}`, cancel));
    expect(canceled.finishedAt).not.toBeNull();
  });
});

const outputs: readonly (readonly [string, string, FinishedFile['type']])[] = [
  ['android', 'release', 'apk'],
  ['android', 'release', 'aab'],
  ['ios', 'ad-hoc', 'ipa'],
];

it.each(outputs)('artifacts of %s %s are listed and downloaded: %s', async (platform, type, artifactType) => {
  const file = { type: artifactType, details: { versionName: '1.2.0', versionCode: '7' } };
  const build = await createFinishedBuild(app, [file], { platform, type });
  expectSdk(sdkBuild, await sdk.request('GET', build.path));
  const artifacts = `${build.path}/artifacts`;
  const [artifact] = expectSdkList(
    sdkArtifact,
    await sdk.request('GET', artifacts, { query: { limit: 10, offset: 0 } }),
  );
  expect(artifact).toMatchObject({ type: artifactType, status: 'ready', totalDownloads: 0 });
  const bytes = await sdk.download(`${artifacts}/${artifact?.id}/download?fileName=shop.${artifactType}`);
  expect(bytes.equals(build.bytes)).toBe(true);
  const url = await sdk.request('GET', `${artifacts}/${artifact?.id}/signed-download-url`, {
    query: { fileName: `shop.${artifactType}` },
  });
  expect(expectSdk(sdkSignedUrl, url).expiresAt).toBeGreaterThan(Date.now());
});

it('lists the jobs of an organization, also those that no runner takes', async () => {
  const started = await sdk.request<{ jobId: string }>('POST', `${builds}/imports`, {
    body: { platform: 'ios', artifact: { type: 'ipa', fileName: 'app.ipa', fileSizeInBytes: 10 } },
  });
  const { organizationId } = app.tenant;
  const all = await sdk.request('GET', '/v1/jobs', { query: { organizationId, limit: 100 } });
  const jobs = expectSdkList(sdkJob, all);
  expect(jobs.find(({ id }) => id === started.jobId)).toMatchObject({ stack: '' });
  const query = { organizationId, status: 'failed,canceled', limit: 100 };
  const ended = expectSdkList(sdkJob, await sdk.request('GET', '/v1/jobs', { query }));
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['failed', 'canceled']));
});

it('creates and downloads sources', async () => {
  const sources = `${app.path}/build-sources`;
  const body = { fileSizeInBytes: 10 };
  const pending = expectSdk(sdkBuildSource, await sdk.request('POST', sources, { body }));
  expect(pending).toMatchObject({ type: 'archive', status: 'pending', fileSizeInBytes: 10, fileUrl: null });
  const ready = await uploadSource(app);
  const bytes = await sdk.download(`${sources}/${ready}/download`);
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
});
