import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { type Actor, createMember } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import {
  createAppleDestination,
  createDestination,
  createIpaBuild,
  createReleaseBuild,
  endSubmission,
  type StoreDeployment,
} from '../../support/stores/store-builds.js';

const database = testEnvironment().databaseUrl;
const emergency = { reason: 'INC-42' };
const FROZEN = [{ from: '2020-01-01T00:00:00Z', to: '2120-01-01T00:00:00Z' }];

interface Changed {
  readonly id: string;
  readonly rolloutPercentage: number;
  readonly emergency: object | null;
  readonly submission: {
    readonly openAction: {
      readonly id: string;
      readonly action: string;
      readonly rolloutPercentage: number;
    } | null;
  };
}

let app: TestApp;
let member: Actor;
let destinationId: string;
beforeEach(async () => {
  app = await createApp();
  member = await createMember(app.tenant, 'member');
});

/** A deployment whose release the store has. */
async function createRelease(status: string, share: number | null = null, before: number | null = null) {
  ({ id: destinationId } = await createDestination(app, { googlePlayTrack: 'production' }));
  return withRelease(await createReleaseBuild(app), status, share, before);
}

/** As `createRelease`, of a version of the App Store. */
async function createVersion(status: string, values: object = {}) {
  const review = { appleSubmitForReview: true, ...values };
  ({ id: destinationId } = await createAppleDestination(app, review));
  return withRelease(await createIpaBuild(app), status, null, null);
}

async function withRelease(
  appBuildId: string,
  status: string,
  share: number | null,
  before: number | null,
): Promise<string> {
  const body = { appBuildId, appDestinationId: destinationId };
  const deployment = expectCreated<StoreDeployment>(await app.api.post(`${app.path}/deployments`, body));
  await endSubmission(deployment, 'prepared');
  // With them, changes of a version ask the store, which cannot be reached from here: they stay open.
  const external = { appleAppId: '1', versionId: '2', buildId: '3', reviewSubmissionId: '4' };
  await query(database, 'UPDATE submissions SET external = $2 WHERE id = $1', [deployment.id, external]);
  await query(
    database,
    `INSERT INTO store_releases (id, app_id, status, status_since, user_fraction, resume_fraction, message)
     VALUES ($1, $2, $3, now(), $4, $5, 'x')`,
    [deployment.id, app.id, status, share, before],
  );
  return deployment.id;
}

const pathOf = (id: string): string => `${app.path}/deployments/${id}`;
const setShare = (id: string, rolloutPercentage: unknown, values: object = {}, api = member.api) =>
  api.patch(pathOf(id), { rolloutPercentage, ...values });
const freeze = () => app.api.patch(`${app.path}/destinations/${destinationId}`, { freezeWindows: FROZEN });
const eventsOf = async (id: string): Promise<unknown[]> =>
  query(
    database,
    `SELECT kind, actor, user_id, action, user_fraction FROM release_events
      WHERE release_id = $1 AND kind IN ('requested', 'overridden') AND action NOT IN ('submit', 'promote') ORDER BY id`,
    [id],
  );

describe('the share of a release', () => {
  it('is changed by a job; the same request again finds the same one', async () => {
    const id = await createRelease('rolling_out', 0.1);
    const { status, body } = await setShare(id, 0.5, { comment: 'No crashes' });
    expect([status, body]).toMatchObject([200, { comment: 'No crashes', updatedBy: { id: member.userId } }]);
    const { openAction } = (body as Changed).submission;
    expect(openAction).toMatchObject({ action: 'set-rollout', rolloutPercentage: 0.5 });
    const again = (await setShare(id, 0.5)).body as Changed;
    expect(again.submission.openAction?.id).toBe(openAction?.id);
    expectError(await setShare(id, 0.6), 409, 'release_busy');
    expect(await eventsOf(id)).toEqual([
      { kind: 'requested', actor: 'user', user_id: member.userId, action: 'set-rollout', user_fraction: 0.5 },
    ]);
  });

  it('is said to bring older web code to more users, where the channel has it', async () => {
    const codes = async (id: string, share: number) =>
      ((await setShare(id, share)).body as { warnings: { code: string }[] }).warnings.map(({ code }) => code);
    const id = await createRelease('rolling_out', 0.1);
    expect(await codes(id, 0.5)).toEqual(['older_web_code']);
    expect(await codes(id, 0)).toEqual([]);
    const other = await createRelease('rolling_out', 0.1);
    await registerBundle(app);
    expect(await codes(other, 0.5)).toEqual([]);
  });

  it('is requested once, however many ask at once', async () => {
    const id = await createRelease('rolling_out', 0.1);
    const responses = await Promise.all(Array.from({ length: 8 }, () => setShare(id, 0.5)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('stops at once: a change that was not sent to the store is canceled', async () => {
    const id = await createRelease('rolling_out', 0.1);
    const jobOf = async (): Promise<string> =>
      ((await setShare(id, 0.5)).body as { submission: { openAction: { jobId: string } } }).submission
        .openAction.jobId;
    const growth = await jobOf();
    const { status, body } = await setShare(id, 0);
    expect([status, (body as Changed).submission.openAction]).toMatchObject([200, { rolloutPercentage: 0 }]);
    expect((await app.api.get(`/v1/jobs/${growth}`)).body).toMatchObject({ status: 'canceled' });
  });

  it('does not stop before the end of a change that was sent', async () => {
    const id = await createRelease('rolling_out', 0.1);
    await setShare(id, 0.5);
    await query(database, 'UPDATE submissions SET commit_sent_at = now() WHERE release_id = $1', [id]);
    expectError(await setShare(id, 0), 409, 'release_busy');
  });

  it('is as it is, or does not shrink', async () => {
    const id = await createRelease('rolling_out', 0.5);
    expect((await setShare(id, 0.5)).body).toMatchObject({ submission: { openAction: null } });
    expect(expectInvalid(await setShare(id, 0.2), 'rolloutPercentage').message).toMatch(/0\.5|50/);
    for (const share of [1.1, -0.1, '1', null]) {
      expectInvalid(await setShare(id, share), 'rolloutPercentage');
    }
  });

  it('is not changed before the store has a release', async () => {
    ({ id: destinationId } = await createDestination(app));
    const body = { appBuildId: await createReleaseBuild(app), appDestinationId: destinationId };
    const { id } = expectCreated<StoreDeployment>(await app.api.post(`${app.path}/deployments`, body));
    expectError(await setShare(id, 0.5), 409, 'release_state');
  });

  it('depends on the version of the deployment that the caller knows', async () => {
    const id = await createRelease('rolling_out', 0.1);
    const { headers } = await member.api.get(pathOf(id));
    const conditional = (etag: string) =>
      member.api.request('patch', pathOf(id)).set('If-Match', etag).send({ rolloutPercentage: 0.5 });
    expect((await conditional('"other"')).status).toBe(412);
    expect((await conditional(headers['etag'] as string)).status).toBe(200);
  });

  it('needs both permissions, and those of the app', async () => {
    const id = await createRelease('rolling_out', 0.1);
    const needed = ['deployments:write', 'submissions:write'];
    for (const missing of needed) {
      const { api } = await createToken(member.api, { permissions: needed.filter((one) => one !== missing) });
      expectError(await setShare(id, 0.5, {}, api), 403, 'token_limited');
    }
    const viewer = await createMember(app.tenant, 'viewer');
    expectError(await setShare(id, 0.5, {}, viewer.api), 403, 'not_authorized');
    const other = await createApp();
    expectError(await setShare(id, 0.5, {}, other.api), 404, 'app_not_found');
    const foreign = await other.api.patch(`${other.path}/deployments/${id}`, { rolloutPercentage: 0.5 });
    expectError(foreign, 404, 'deployment_not_found');
  });
});

describe('a freeze of the destination', () => {
  it('keeps a share from growing, and not from stopping', async () => {
    const id = await createRelease('rolling_out', 0.1);
    await freeze();
    expectError(await setShare(id, 0.5), 409, 'destination_frozen');
    expect(await eventsOf(id)).toEqual([]);
    expect((await setShare(id, 0.1)).body).toMatchObject({ submission: { openAction: null } });
    expect((await setShare(id, 0)).body).toMatchObject({
      submission: { openAction: { action: 'set-rollout', rolloutPercentage: 0 } },
    });
  });

  it('keeps a stopped release from going on, but for an emergency', async () => {
    const id = await createRelease('halted', 0.1, 0.1);
    await freeze();
    expectError(await setShare(id, 0.1), 409, 'destination_frozen');
    expectError(await setShare(id, 0.1, { emergency }), 403, 'not_authorized');
    const admin = await createMember(app.tenant, 'admin');
    expect((await setShare(id, 0.1, { emergency }, admin.api)).body).toMatchObject({
      emergency: { userId: admin.userId, ...emergency },
      submission: { openAction: { rolloutPercentage: 0.1 } },
    });
    expect(await eventsOf(id)).toMatchObject([
      { kind: 'requested', user_id: admin.userId },
      { kind: 'overridden', user_id: admin.userId, action: 'set-rollout' },
    ]);
  });

  it('takes no version that the App Store would release in a freeze', async () => {
    const values = { appleSubmitForReview: true, appleReleaseType: 'scheduled' };
    const inTwoHours = new Date(Math.ceil(Date.now() / 3_600_000 + 2) * 3_600_000);
    const freezeWindows = [{ from: inTwoHours, to: '2120-01-01T00:00:00Z' }];
    const { id: appDestinationId } = await createAppleDestination(app, { ...values, freezeWindows });
    const body = { appBuildId: await createIpaBuild(app), appDestinationId };
    const path = `${app.path}/deployments`;
    const inFreeze = { ...body, appleEarliestReleaseDate: inTwoHours };
    expectError(await app.api.post(path, inFreeze), 409, 'destination_frozen');
    const before = new Date(inTwoHours.getTime() - 3_600_000);
    expectCreated(await app.api.post(path, { ...body, appleEarliestReleaseDate: before }));
  });

  it('keeps a version from its release, and not from being withdrawn', async () => {
    const id = await createVersion('approved');
    await freeze();
    expectError(await member.api.post(`${pathOf(id)}/release`, {}), 409, 'destination_frozen');
    const released = await app.api.post(`${pathOf(id)}/release`, { emergency });
    expect(released.body).toMatchObject({ emergency, submission: { openAction: { action: 'release' } } });
    const waiting = await createVersion('waiting_for_review');
    await freeze();
    const withdrawn = await member.api.post(`${pathOf(waiting)}/withdraw`, {});
    expect(withdrawn.body).toMatchObject({ submission: { openAction: { action: 'withdraw' } } });
  });
});

describe('a version of the App Store', () => {
  it('is released once', async () => {
    const id = await createVersion('approved');
    const release = async () => (await member.api.post(`${pathOf(id)}/release`, {})).body as Changed;
    const first = await release();
    expect(first.submission.openAction).toMatchObject({ action: 'release' });
    expect((await release()).submission.openAction?.id).toBe(first.submission.openAction?.id);
    expectError(await member.api.post(`${pathOf(id)}/withdraw`, {}), 409, 'release_busy');
  });

  it('is not released when it is rejected, and not withdrawn when it is approved', async () => {
    const rejected = await createVersion('rejected');
    expectError(await member.api.post(`${pathOf(rejected)}/release`, {}), 409, 'release_state');
    const approved = await createVersion('approved');
    expectError(await member.api.post(`${pathOf(approved)}/withdraw`, {}), 409, 'release_state');
    expectInvalid(await setShare(approved, 0.5), 'rolloutPercentage');
  });

  it('is released and withdrawn with the permission for submissions, in its app', async () => {
    const id = await createVersion('approved');
    const { api } = await createToken(member.api, { permissions: ['deployments:write'] });
    const other = await createApp();
    for (const action of ['release', 'withdraw']) {
      expectError(await api.post(`${pathOf(id)}/${action}`, {}), 403, 'token_limited');
      expectError(await other.api.post(`${pathOf(id)}/${action}`, {}), 404, 'app_not_found');
      const foreign = `${other.path}/deployments/${id}/${action}`;
      expectError(await other.api.post(foreign, {}), 404, 'deployment_not_found');
    }
    expectInvalid(await member.api.post(`${pathOf(id)}/release`, { emergency: 'now' }), 'emergency');
  });
});
