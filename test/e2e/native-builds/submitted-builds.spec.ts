import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createMember } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { makeAab } from '../../support/native-builds/aab-writer.js';
import {
  finishJob,
  startBuild,
  takeJob,
  type TestBuild,
  uploadArtifact,
} from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';
import { auditEvents } from '../../support/organizations/audit-log.js';
import { createAppleDestination, createDestination } from '../../support/stores/store-builds.js';

interface ShownBuild {
  readonly destinationDeployments: readonly {
    readonly appDestinationId: string;
    readonly status: string;
    readonly statusMessage: string | null;
    readonly appDeploymentId: string | null;
  }[];
}

let app: TestApp;
let source: string;
let destination: { id: string; name: string };

beforeAll(async () => {
  app = await createApp();
  source = await uploadSource(app, { 'package.json': '{}' });
  destination = await createDestination(app);
});

const body = (values: object = {}) => ({
  platform: 'android',
  appBuildSourceId: source,
  appDestinationId: destination.id,
  ...values,
});
const post = (values: object = {}, api = app.api) => api.post(`${app.path}/builds`, body(values));

/** Makes the aab of a build, as a runner does, and lets the build succeed. */
async function finish(build: TestBuild, isSigned = true): Promise<void> {
  const lease = await takeJob(build.jobId);
  const aab = await makeAab({ versionCode: 42, signed: isSigned });
  const { completed } = await uploadArtifact(lease, aab, { type: 'aab' });
  expect(completed.status).toBe(200);
  expect((await finishJob(lease)).status).toBe(200);
}

/** What has become of it at its destination. */
const outcome = ({ id }: TestBuild, status: string): Promise<ShownBuild['destinationDeployments'][number]> =>
  eventually(async () => {
    const build = (await app.api.get(`${app.path}/builds/${id}`)).body as ShownBuild;
    expect(build.destinationDeployments).toMatchObject([{ status }]);
    return build.destinationDeployments[0] as ShownBuild['destinationDeployments'][number];
  });

const lastLineOf = async ({ jobId }: TestBuild): Promise<string | undefined> => {
  const job = (await app.api.get(`/v1/jobs/${jobId}?relations=jobLogs`)).body as {
    jobLogs: { payload: string }[];
  };
  return job.jobLogs.at(-1)?.payload;
};

describe('a build for a destination', () => {
  it('is submitted after success with its notes, as the user who started it', async () => {
    const releaseNotes = { default: 'Faster.' };
    const build = await startBuild(app, body({ releaseNotes }));
    expect(await outcome(build, 'waiting')).toEqual({
      appDestinationId: destination.id,
      status: 'waiting',
      statusMessage: null,
      appDeploymentId: null,
    });
    await finish(build);
    const { appDeploymentId } = await outcome(build, 'deployed');
    const { body: deployment } = await app.api.get(`${app.path}/deployments/${appDeploymentId}`);
    expect(deployment).toMatchObject({
      appBuildId: build.id,
      appDestinationId: destination.id,
      createdByUserId: app.tenant.owner.userId,
      releaseNotes,
      submission: { versionCode: '42', track: 'internal' },
    });
    const events = await auditEvents(app.tenant, `objectType=deployment&action=created`);
    expect(events.find(({ object }) => object.id === appDeploymentId)).toMatchObject({
      actor: { userId: app.tenant.owner.userId },
      after: { appDestinationId: destination.id, releaseNotes },
    });
  });

  it('shows a refusal with the build, in its log and in the audit log', async () => {
    const build = await startBuild(app, body());
    await finish(build, false);
    const { statusMessage } = await outcome(build, 'failed');
    expect(statusMessage).toMatch(/aab is signed/);
    expect(await lastLineOf(build)).toBe(
      `The build was not submitted to the destination ${destination.name}: ${statusMessage}`,
    );
    const event = (await auditEvents(app.tenant, 'objectType=build-deployment&action=updated')).at(-1);
    expect(event).toMatchObject({ after: { status: 'failed', statusMessage } });
  });

  it('shows that the destination was deleted, and that the user may not submit any more', async () => {
    const gone = await createDestination(app);
    const late = await startBuild(app, body({ appDestinationId: gone.id }));
    expect((await app.api.delete(`${app.path}/destinations/${gone.id}`)).status).toBe(204);
    await finish(late);
    expect(await outcome(late, 'failed')).toMatchObject({ statusMessage: 'Destination not found.' });
    const member = await createMember(app.tenant, 'member');
    const build = expectCreated<TestBuild>(await post({}, member.api));
    await query(testEnvironment().databaseUrl, `UPDATE members SET role = 'viewer' WHERE id = $1`, [
      member.memberId,
    ]);
    await finish(build);
    expect(await outcome(build, 'failed')).toMatchObject({ statusMessage: 'Not authorized.' });
  });

  it('waits for the approvals of the destination, and is not submitted during its freeze', async () => {
    const governed = await createDestination(app, { googlePlayTrack: 'beta', requiredApprovals: 1 });
    const pending = await startBuild(app, body({ appDestinationId: governed.id }));
    await finish(pending);
    const { appDeploymentId } = await outcome(pending, 'deployed');
    const { body: deployment } = await app.api.get(`${app.path}/deployments/${appDeploymentId}`);
    expect(deployment).toMatchObject({
      approvalStatus: 'pending',
      submission: {
        message: expect.stringMatching(/^Waits for the approval of 1 person other than /) as string,
      },
    });
    const frozen = await startBuild(app, body({ appDestinationId: governed.id }));
    const freezeWindows = [{ from: '2020-01-01T00:00:00Z', to: '2120-01-01T00:00:00Z' }];
    await app.api.patch(`${app.path}/destinations/${governed.id}`, { freezeWindows });
    await finish(frozen);
    expect((await outcome(frozen, 'failed')).statusMessage).toMatch(/ is frozen until /);
  });

  it('has no destination that releases at a date', async () => {
    const values = { appleSubmitForReview: true, appleReleaseType: 'scheduled' };
    const { id } = await createAppleDestination(app, values);
    const response = await post({ platform: 'ios', appDestinationId: id });
    expect(expectInvalid(response, 'appDestinationId').message).toMatch(/appleReleaseType is not scheduled/);
  });

  it('is not submitted when it has failed', async () => {
    const build = await startBuild(app, body());
    expect((await finishJob(await takeJob(build.jobId), 'failed')).status).toBe(200);
    expect(await outcome(build, 'failed')).toMatchObject({ statusMessage: 'The build did not succeed.' });
  });

  it('is refused at creation when it cannot be submitted there', async () => {
    const foreign = await createDestination(await createApp());
    for (const appDestinationId of [uuid(), foreign.id]) {
      expectError(await post({ appDestinationId }), 404, 'destination_not_found');
    }
    expectInvalid(await post({ appDestinationId: 'x' }), 'appDestinationId');
    expectInvalid(await post({ platform: 'web' }), 'appDestinationId');
    const firebase = await createDestination(app, { type: 'firebase-app-distribution' });
    expectInvalid(await post({ appDestinationId: firebase.id }), 'appDestinationId');
    const trackless = await createDestination(app, { googlePlayTrack: null });
    expectInvalid(await post({ appDestinationId: trackless.id }), 'appDestinationId');
    expectInvalid(await post({ releaseNotes: { default: 'x'.repeat(501) } }), 'releaseNotes');
    expectInvalid(await post({ appChannelIds: [app.defaultChannelId] }), 'appChannelIds');
  });

  it('needs the permissions to deploy and to submit', async () => {
    const needed = ['apps:read', 'builds:read', 'builds:write', 'deployments:write', 'submissions:write'];
    const apiWithout = async (missing: string | null): Promise<Api> => {
      const permissions = needed.filter((permission) => permission !== missing);
      return new Api(app.api.origin, (await createToken(app.api, { permissions })).token);
    };
    for (const missing of ['deployments:write', 'submissions:write']) {
      expectError(await post({}, await apiWithout(missing)), 403);
    }
    expect((await post({}, await apiWithout(null))).status).toBe(201);
  });
});
