import { createApp, type TestApp } from '../../builders/app.js';
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
let app: TestApp;
beforeEach(async () => {
  app = await createApp();
});

const post = (appBuildId: string, appDestinationId: string, values: object = {}) =>
  app.api.post(`${app.path}/deployments`, { appBuildId, appDestinationId, ...values });
const deploy = async (build: string, destination: string, values: object = {}) =>
  expectCreated<StoreDeployment>(await post(build, destination, values));
const succeed = async (build: string, destination: string, values: object = {}) => {
  const deployment = await deploy(build, destination, values);
  await endSubmission(deployment, 'prepared');
  return deployment;
};
const actionOf = async ({ id }: StoreDeployment): Promise<unknown> =>
  (
    await query(
      database,
      'SELECT action, version_code, sha256, signer_sha256 FROM submissions WHERE id = $1',
      [id],
    )
  )[0];

describe('a version', () => {
  it('is submitted to a destination once with success, unless it is forced', async () => {
    const { id: destination } = await createDestination(app);
    const build = await createReleaseBuild(app);
    await endSubmission(await deploy(build, destination), 'failed');
    const { id } = await succeed(build, destination);
    for (const other of [build, await createReleaseBuild(app)]) {
      const refused = expectError(await post(other, destination), 409, 'already_submitted');
      expect(refused.message).toBe(
        `The version 42 was submitted to this destination before, by the deployment ${id}: set force to true to submit it again.`,
      );
    }
    expectError(await post(build, destination, { force: false }), 409, 'already_submitted');
    await deploy(build, destination, { force: true });
    await deploy(await createReleaseBuild(app, { versionCode: '43' }), destination);
  });

  it.each(['rejected', 'withdrawn', 'removed'])(
    'is submitted again when its release was %s',
    async (status) => {
      const { id: destination } = await createDestination(app);
      const build = await createReleaseBuild(app);
      const { id } = await succeed(build, destination);
      await query(
        database,
        `INSERT INTO store_releases (id, app_id, status, status_since, message) VALUES ($1, $2, $3, now(), 'x')`,
        [id, app.id, status],
      );
      await deploy(build, destination);
    },
  );

  it('is its name and its build number at Apple', async () => {
    const { id: destination } = await createAppleDestination(app);
    await succeed(await createIpaBuild(app), destination);
    const same = await post(await createIpaBuild(app), destination);
    expect(expectError(same, 409, 'already_submitted').message).toContain('The version 1.4.0 (42)');
    await deploy(await createIpaBuild(app, { versionName: '1.5.0' }), destination);
  });
});

describe('a promotion', () => {
  it('is a release of a file that another track has, also when it is gone here', async () => {
    const { id: internal } = await createDestination(app);
    const { id: production } = await createDestination(app, { googlePlayTrack: 'production' });
    const build = await createReleaseBuild(app);
    const uploaded = await succeed(build, internal);
    expect(await actionOf(uploaded)).toMatchObject({ action: 'submit' });
    await query(database, 'DELETE FROM build_artifacts WHERE build_id = $1', [build]);
    const promoted = await succeed(build, production, { rolloutPercentage: 0.1 });
    expect(await actionOf(promoted)).toEqual({
      ...((await actionOf(uploaded)) as object),
      action: 'promote',
    });
    // It counts neither as a submission, nor as one again.
    expect(await actionOf(await deploy(build, production))).toMatchObject({ action: 'promote' });
    expectError(await post(build, internal), 409, 'already_submitted');
  });

  it('is none of a file that was not submitted with success', async () => {
    const { id: internal } = await createDestination(app);
    const { id: production } = await createDestination(app, { googlePlayTrack: 'production' });
    const build = await createReleaseBuild(app);
    await endSubmission(await deploy(build, internal), 'failed');
    expect(await actionOf(await deploy(build, production))).toMatchObject({ action: 'submit' });
  });

  it('is none of what another app has submitted', async () => {
    const other = app;
    const { id: internal } = await createDestination(other);
    await succeed(await createReleaseBuild(other), internal);
    app = await createApp(other.tenant);
    const { id: production } = await createDestination(app, { googlePlayTrack: 'production' });
    const build = await createReleaseBuild(app);
    expect(await actionOf(await deploy(build, production))).toMatchObject({ action: 'submit' });
  });
});

describe('a release at a date', () => {
  const hour = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 86_400_000);

  it('keeps it, as ISO text and as milliseconds', async () => {
    const values = { appleSubmitForReview: true, appleReleaseType: 'scheduled' };
    for (const date of [hour.toISOString(), hour.getTime()]) {
      const { id: destination } = await createAppleDestination(app, values);
      const { id } = await deploy(await createIpaBuild(app), destination, { appleEarliestReleaseDate: date });
      const text = 'SELECT earliest_release_at FROM submissions WHERE id = $1';
      expect(await query(database, text, [id])).toEqual([{ earliest_release_at: hour }]);
    }
  });

  it('needs it, and no other one does', async () => {
    const values = { appleSubmitForReview: true, appleReleaseType: 'scheduled' };
    const { id: scheduled } = await createAppleDestination(app, values);
    const { id: manual } = await createAppleDestination(app, { ...values, appleReleaseType: null });
    const build = await createIpaBuild(app);
    const appleEarliestReleaseDate = hour.toISOString();
    for (const response of [
      await post(build, scheduled),
      await post(build, scheduled, { appleEarliestReleaseDate: '2020-01-01T00:00:00Z' }),
      await post(build, scheduled, { appleEarliestReleaseDate: hour.getTime() + 1 }),
      await post(build, manual, { appleEarliestReleaseDate }),
      await post(build, scheduled, { appleEarliestReleaseDate: 'soon' }),
    ]) {
      expectInvalid(response, 'appleEarliestReleaseDate');
    }
  });
});
