import { createApp, type TestApp } from '../builders/app.js';
import { type Actor, createActor } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { Sdk } from '../support/http/sdk.js';
import { finishJob, serveBuilds, takeJob } from '../support/native-builds/leases.js';
import { uploadSource } from '../support/native-builds/sources.js';

/*
 * The requests of the Node SDK (`scripts/docs/clients/sdk-requests.ts` lists them all) in the order of a team that starts
 * to build. The SDK has no request to accept an invitation, and none that uploads a source: people accept on the page or
 * with the API, and the command-line tool uploads.
 */

interface Invitation {
  readonly id: string;
  readonly status: string;
}
interface Build {
  readonly id: string;
  readonly jobId: string;
  readonly numberAsString: string;
}
interface Job {
  readonly id: string;
  readonly status: string;
  readonly finishedAt: string | null;
}
interface Artifact {
  readonly id: string;
  readonly type: string;
  readonly status: string;
}

let app: TestApp;
let organization: string;
let owner: Sdk;
let invitee: Actor;
let member: Sdk;

beforeAll(async () => {
  app = await createApp();
  organization = `/v1/organizations/${app.tenant.organizationId}`;
  owner = new Sdk(app.tenant.owner.token);
  invitee = await createActor();
  member = new Sdk(invitee.token);
});

it('invites a member, who accepts', async () => {
  const { email } = invitee;
  const invitations = `${organization}/invitations`;
  const invited = await owner.request<Invitation>('POST', invitations, { body: { email, role: 'member' } });
  expect(invited).toMatchObject({
    organizationId: app.tenant.organizationId,
    email,
    role: 'member',
    status: 'pending',
    inviterId: app.tenant.owner.userId,
    expiresAt: expect.any(String),
  });
  expect(await owner.request('GET', invitations, { query: { query: email, role: 'member' } })).toEqual([
    // Only the response that creates it has the link.
    { ...invited, link: null },
  ]);
  await expect(member.request('GET', app.path)).rejects.toThrow('404');
  expect((await invitee.api.post(`/v1/invitations/${invited.id}/accept`)).status).toBe(200);
  expect(await owner.request('GET', `${organization}/members`, { query: { query: email } })).toMatchObject([
    { userId: invitee.userId, role: 'member', user: { email } },
  ]);

  const other = await createActor();
  const revoked = await owner.request<Invitation>('POST', invitations, {
    body: { email: other.email, role: 'viewer' },
  });
  expect(await owner.request('DELETE', `${invitations}/${revoked.id}`)).toBeUndefined();
});

it('builds as the member, and reads the logs and what was built', async () => {
  const stop = serveBuilds(app);
  try {
    const build = await member.request<Build>('POST', `${app.path}/builds`, {
      body: {
        platform: 'web',
        appBuildSourceId: await uploadSource(app),
        appChannelId: app.defaultChannelId,
        adHocEnvironmentVariables: { STAGE: 'beta' },
      },
    });
    expect(build).toMatchObject({ appId: app.id, platform: 'web', numberAsString: '1' });
    const job = `/v1/jobs/${build.jobId}`;
    await eventually(async () => {
      expect((await member.request<Job>('GET', job)).status).toBe('succeeded');
    });
    expect(await member.request('GET', job)).toMatchObject({
      appId: app.id,
      appBuildId: build.id,
      appDeploymentId: null,
      finishedAt: expect.any(String),
    });
    const logs = await member.request<object[]>('GET', `${job}/logs`);
    expect(logs).toContainEqual({
      jobId: build.jobId,
      number: expect.any(Number),
      payload: expect.stringContaining('Built by the test'),
      timestamp: expect.any(String),
    });
    const { organizationId } = app.tenant;
    const query = { organizationId, status: 'succeeded,failed', limit: 10, offset: undefined };
    expect(await member.request('GET', '/v1/jobs', { query })).toMatchObject([{ id: build.jobId }]);
    expect(await member.request('GET', `${app.path}/builds/${build.id}`)).toMatchObject({ id: build.id });

    const artifacts = `${app.path}/builds/${build.id}/artifacts`;
    const [artifact] = await member.request<Artifact[]>('GET', artifacts);
    expect(artifact).toMatchObject({ type: 'zip', status: 'ready' });
    const bytes = await member.download(`${artifacts}/${artifact?.id}/download`);
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    const signed = await member.request<{ url: string; expiresAt: number }>(
      'GET',
      `${artifacts}/${artifact?.id}/signed-download-url`,
    );
    expect(signed.expiresAt).toBeGreaterThan(Date.now());
    const downloaded = await fetch(signed.url);
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true);
  } finally {
    await stop();
  }
});

it('asks why a build failed, and cancels another', async () => {
  const start = async (): Promise<Build> =>
    member.request<Build>('POST', `${app.path}/builds`, {
      body: { platform: 'web', appBuildSourceId: await uploadSource(app) },
    });
  const failed = await start();
  expect((await finishJob(await takeJob(failed.jobId), 'failed')).status).toBe(200);
  expect(await member.request('POST', `/v1/jobs/${failed.jobId}/failure-summary`)).toMatchObject({
    summary: expect.any(String),
  });
  const canceled = await start();
  const body = { status: 'canceled' };
  expect(await member.request('PATCH', `/v1/jobs/${canceled.jobId}`, { body })).toMatchObject({
    id: canceled.jobId,
    status: 'canceled',
  });
});
