import { createRunner } from '../../builders/runner.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import { NumberedBuilds } from '../../support/native-builds/numbered-builds.js';
import { addBuild } from '../../support/stores/app-store-connect/state/builds.js';
import { AppleSite, type TestFlightApp } from '../../support/stores/apple-submissions.js';

let apple: AppleSite;
let bundleIds = 0;

beforeAll(async () => {
  apple = await AppleSite.start();
});
afterAll(() => apple.dispose());

/** An app that Apple has builds of, and a runner for iOS. @param destination values of its destination */
async function published(
  buildNumbers: readonly string[] = ['41', '42'],
  destination: object = {},
): Promise<{ app: TestFlightApp; builds: NumberedBuilds }> {
  const app = await apple.app(`com.example.numbered${++bundleIds}`, { destination });
  await createRunner(app.app.tenant, {}, { platforms: ['ios'], stacks: ['macos-tahoe'] });
  for (const buildNumber of buildNumbers) addBuild(app.apple, { version: '1.4', buildNumber });
  return { app, builds: new NumberedBuilds(apple.site, app.app, 'ios') };
}

describe('a build whose configuration takes the number from App Store Connect', () => {
  it('gets one more than the highest of all versions, and says why', async () => {
    const { app, builds } = await published(['41', '9']);
    addBuild(app.apple, { version: '0.9', buildNumber: '57' });
    const build = await builds.start(await builds.configure({ packageName: app.bundleId }));
    expect(await builds.end(build)).toMatchObject({
      status: 'queued',
      storeBuildNumber: 58,
      log: ['The build number is 58: App Store Connect has 57.'],
    });
    expect(await builds.payload(build)).toMatchObject({ configuration: { buildNumber: 58 } });
  });

  it('finds the app by its id when the configuration has no bundle id', async () => {
    const { app, builds } = await published();
    const lacking = await app.app.api.post(
      `${app.app.path}/builds`,
      await builds.body({ appConfigurationId: await builds.configure() }),
    );
    expectError(lacking, 400, 'build_number_unavailable');
    expect((lacking.body as { message: string }).message).toMatch(/set appleAppId/);
    await app.app.api.patch(`${app.app.path}/destinations/${app.destinationId}`, {
      appleAppId: app.apple.id,
    });
    expect(await builds.number()).toBe(43);
    // The numbers are of the same app, however it is named.
    expect(await builds.number(await builds.configure({ packageName: app.bundleId }))).toBe(44);
  });

  it('counts only what is for iOS, and of numbers with dots the first part', async () => {
    const { app, builds } = await published(['42.1.7', '7.99', 'beta']);
    addBuild(app.apple, { version: '1.4', buildNumber: '900', platform: 'TV_OS' });
    expect(await builds.number(await builds.configure({ packageName: app.bundleId }))).toBe(43);
  });

  it('can be a time', async () => {
    const { app, builds } = await published(['202611261305']);
    const build = await builds.start(await builds.configure({ packageName: app.bundleId }));
    expect(await builds.end(build)).toMatchObject({ storeBuildNumber: 202_611_261_306 });
    expect(await builds.payload(build)).toMatchObject({ configuration: { buildNumber: 202_611_261_306 } });
  });

  it('follows uploads that are no builds yet, and submissions', async () => {
    const { app, builds } = await published([]);
    const configuration = await builds.configure({ packageName: app.bundleId });
    const hold = apple.connect.hold('createBuildUploadFile', 'before', { about: 'buildUploadFiles' });
    const deployment = await app.deploy(await app.build('1.5', '70'));
    await hold.arrived;
    expect(app.apple.uploads.map(({ state }) => state)).toEqual(['AWAITING_UPLOAD']);
    const build = await builds.start(configuration);
    expect(await builds.end(build)).toMatchObject({
      log: ['The build number is 71: App Store Connect has 70.'],
    });
    await app.app.api.patch(`/v1/jobs/${deployment.jobId}`, { status: 'canceled' });
    hold.release();
    await app.end(deployment);
  });

  it('never has that of another build, also when they start at once', async () => {
    const { app, builds } = await published();
    const configuration = await builds.configure({ packageName: app.bundleId });
    const started = await Promise.all(Array.from({ length: 5 }, () => builds.start(configuration)));
    const ended = await Promise.all(started.map((build) => builds.end(build)));
    expect(ended.map(({ storeBuildNumber }) => Number(storeBuildNumber)).toSorted((a, b) => a - b)).toEqual([
      43, 44, 45, 46, 47,
    ]);
  });
});

describe('a build that Apple gives no number', () => {
  it('fails when the key was revoked, unless another one is accepted', async () => {
    const { app, builds } = await published();
    const configuration = await builds.configure({ packageName: app.bundleId });
    const other = apple.connect.addKey({ team: app.apple.team });
    apple.connect.keys.revoke(app.key.keyId);
    const refused = await builds.end(await builds.start(configuration));
    expect(refused).toMatchObject({ status: 'failed', storeBuildNumber: null });
    expect(refused.statusMessage).toMatch(/start the build again/);
    await app.addDestination({
      appAppleApiKeyId: await app.uploadKey(other.p8),
      appleApiKeyId: other.keyId,
      appleIssuerId: other.issuerId,
    });
    expect(await builds.number(configuration)).toBe(43);
  });

  it('fails when the app is unknown, or another one', async () => {
    const { app, builds } = await published([], {});
    const unknown = await builds.configure({ packageName: 'com.example.unknown' });
    expect(await builds.end(await builds.start(unknown))).toMatchObject({
      status: 'failed',
      statusMessage:
        'No build number: The key of App Store Connect sees no app with the bundle id com.example.unknown. Check packageName of the configuration and the key of the destination, then start the build again.',
    });
    await app.app.api.patch(`${app.app.path}/destinations/${app.destinationId}`, {
      appleAppId: app.apple.id,
    });
    expect((await builds.end(await builds.start(unknown))).statusMessage).toMatch(
      /has the bundle id com\.example\.numbered\d+, and the configuration says com\.example\.unknown/,
    );
  });

  it('waits while Apple is away', async () => {
    const { app, builds } = await published();
    apple.connect.fail('cut', { call: 'builds', times: 2 });
    const build = await builds.start(await builds.configure({ packageName: app.bundleId }));
    await eventually(async () => expect((await builds.find(build)).log[0]).toMatch(/^Waits for the build/));
    const { storeBuildNumber, log } = await builds.end(build);
    expect(storeBuildNumber).toBe(43);
    expect(log.at(-1)).toBe('The build number is 43: App Store Connect has 42.');
  });
});
