import type { AppleSite, AppleSiteApp } from '../../support/stores/apple-submissions.js';
import { AppStoreApp, startAppStore } from '../../support/stores/app-store-releases.js';

const HOUR = 3_600_000;
const PATIENCE = 120_000;

let appleSite: AppleSite;
let count = 0;

beforeAll(async () => {
  appleSite = await startAppStore();
});
afterAll(() => appleSite.dispose());

const newApp = (options: AppleSiteApp = {}): Promise<AppStoreApp> =>
  AppStoreApp.of(appleSite, `com.example.release${++count}`, options);

/** The next whole hour, some hours ahead. */
const hourIn = (hours: number): string =>
  new Date((Math.floor(Date.now() / HOUR) + hours + 1) * HOUR).toISOString();

test(
  'a version goes to review, waits for its release once Apple has approved it, and goes live when it is released',
  async () => {
    const app = await newApp({ apple: { storeLocales: ['en-US', 'de-DE'] } });
    const sent = await app.sendToReview('1.1', '42', {
      releaseNotes: { default: 'Faster.', 'de-DE': 'Schneller.' },
    });
    expect(sent.submission).toMatchObject({
      state: 'prepared',
      release: { status: 'waiting_for_review', storeStatus: 'WAITING_FOR_REVIEW' },
    });
    expect(app.version('1.1')).toMatchObject({
      buildNumber: '42',
      releaseType: 'MANUAL',
      phased: null,
      whatsNew: { 'en-US': 'Faster.', 'de-DE': 'Schneller.' },
      reviews: ['WAITING_FOR_REVIEW'],
    });
    expect(await app.request(sent, 'release')).toMatchObject({
      status: 409,
      body: { code: 'release_state', message: expect.stringContaining('waits for its review') as string },
    });
    app.review('1.1', 'begin');
    await app.seen(sent, 'in_review', { storeStatus: 'IN_REVIEW' });
    app.review('1.1', 'approve');
    const approved = await app.seen(sent, 'approved', { storeStatus: 'PENDING_DEVELOPER_RELEASE' });
    expect(approved.message).toContain('release');
    expect(approved.link).toContain(app.apple.id);
    const released = await app.change(await app.request(sent, 'release'));
    expect(released.submission.release).toMatchObject({ status: 'released', rolloutPercentage: 1 });
    expect(app.version('1.1')).toMatchObject({ state: 'READY_FOR_DISTRIBUTION', releases: 1 });
    expect(app.version('1.0')).toMatchObject({ state: 'REPLACED_WITH_NEW_VERSION' });
    // Again: nothing has to change.
    expect(await app.request(sent, 'release')).toMatchObject({
      status: 200,
      body: { submission: { openAction: null } },
    });
    expect(app.apple.releases).toHaveLength(1);
    await app.expectNothingLeft();
  },
  PATIENCE,
);

test(
  'a version that is released after its approval goes live by itself',
  async () => {
    const app = await newApp({ destination: { appleReleaseType: 'after-approval' } });
    const sent = await app.sendToReview('1.1', '42');
    app.review('1.1', 'approve');
    await app.seen(sent, 'released');
    expect(app.version('1.1')).toMatchObject({ releaseType: 'AFTER_APPROVAL', releases: 1 });
  },
  PATIENCE,
);

test(
  'a scheduled version goes live at its hour, or before when it is released',
  async () => {
    const app = await newApp({ destination: { appleReleaseType: 'scheduled' } });
    const date = hourIn(3);
    const sent = await app.sendToReview('1.1', '42', { appleEarliestReleaseDate: date });
    expect(app.version('1.1')).toMatchObject({ releaseType: 'SCHEDULED', earliestReleaseDate: date });
    app.review('1.1', 'approve');
    await app.seen(sent, 'approved');
    appleSite.connect.review.clockOffset = 5 * HOUR;
    await app.seen(sent, 'released');
    appleSite.connect.review.clockOffset = 0;
    const early = await app.sendToReview('1.2', '43', { appleEarliestReleaseDate: hourIn(50) });
    app.review('1.2', 'approve');
    await app.seen(early, 'approved');
    await app.change(await app.request(early, 'release'));
    await app.seen(early, 'released');
    await app.seen(sent, 'replaced');
    expect(app.versions.map(({ releases }) => releases)).toEqual([0, 1, 1]);
  },
  PATIENCE,
);

test.each([
  ['no date', { appleReleaseType: 'scheduled' }, {}],
  ['a date that is over', { appleReleaseType: 'scheduled' }, { appleEarliestReleaseDate: hourIn(-3) }],
  [
    'a date between hours',
    { appleReleaseType: 'scheduled' },
    { appleEarliestReleaseDate: hourIn(3).replace(':00:00', ':30:00') },
  ],
  ['a date that is not scheduled', {}, { appleEarliestReleaseDate: hourIn(3) }],
])('a submission with %s is a 400 that names the date', async (_, destination, values) => {
  const app = await newApp({ destination });
  const response = await app.app.api.post(`${app.app.path}/deployments`, {
    appBuildId: await app.build('1.1', '42'),
    appDestinationId: app.destinationId,
    ...values,
  });
  expect(response).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('appleEarliestReleaseDate') as string },
  });
});

test(
  'a phased release shows its shares by day, pauses, resumes where it was, and completes',
  async () => {
    const app = await newApp({
      destination: { appleReleaseType: 'after-approval', applePhasedRelease: true },
    });
    const sent = await app.sendToReview('1.1', '42');
    expect(app.version('1.1')?.phased).toBe('INACTIVE 0');
    app.review('1.1', 'approve');
    await app.seen(sent, 'rolling_out', { rolloutPercentage: 0.01 });
    appleSite.connect.passDays(app.bundleId, '1.1', 3);
    await app.seen(sent, 'rolling_out', { rolloutPercentage: 0.1 });
    const half = await app.setShare(sent, 0.5);
    expect([half.status, half.body]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('Apple sets the shares') as string }),
    ]);
    const paused = await app.change(await app.setShare(sent, 0));
    expect(paused.submission.release).toMatchObject({ status: 'paused', resumePercentage: 0.1 });
    expect(app.version('1.1')?.phased).toBe('PAUSED 4');
    expect((await app.setShare(sent, 0.2)).status).toBe(400);
    const again = await app.setShare(sent, 0);
    expect([again.status, (again.body as typeof paused).submission.openAction]).toEqual([200, null]);
    const resumed = await app.change(await app.setShare(sent, 0.1));
    expect(resumed.submission.release).toMatchObject({ status: 'rolling_out', rolloutPercentage: 0.1 });
    appleSite.connect.passDays(app.bundleId, '1.1', 2);
    await app.seen(sent, 'rolling_out', { rolloutPercentage: 0.5 });
    expect((await app.deployment(sent.id)).rolloutPercentage).toBe(0.5);
    const complete = await app.change(await app.setShare(sent, 1));
    expect(complete.submission.release).toMatchObject({ status: 'released', rolloutPercentage: 1 });
    expect(app.version('1.1')).toMatchObject({ phased: 'COMPLETE 6', releases: 1 });
    expect((await app.setShare(sent, 0)).status).toBe(409);
  },
  PATIENCE,
);

test(
  'a phased release ends by itself after seven days',
  async () => {
    const app = await newApp({
      destination: { appleReleaseType: 'after-approval', applePhasedRelease: true },
    });
    const sent = await app.sendToReview('1.1', '42');
    app.review('1.1', 'approve');
    appleSite.connect.passDays(app.bundleId, '1.1', 6);
    await app.seen(sent, 'rolling_out', { rolloutPercentage: 1 });
    appleSite.connect.passDays(app.bundleId, '1.1', 1);
    await app.seen(sent, 'released', { rolloutPercentage: 1 });
  },
  PATIENCE,
);

test(
  'the share of a version without a phased release is a 400, also in TestFlight',
  async () => {
    const app = await newApp({ destination: { appleReleaseType: 'after-approval' } });
    const sent = await app.sendToReview('1.1', '42');
    app.review('1.1', 'approve');
    await app.seen(sent, 'released');
    expect(await app.setShare(sent, 0.5)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('applePhasedRelease') as string },
    });
    await app.addDestination({ appleSubmitForReview: false });
    const tested = await app.release('1.2', '43');
    expect(tested.job.status).toBe('succeeded');
    expect(await app.setShare(tested, 0.5)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('TestFlight') as string },
    });
  },
  PATIENCE,
);

test(
  'the first version of an app has neither release notes nor a phased release',
  async () => {
    const app = await newApp({
      apple: { versions: [] },
      destination: { appleReleaseType: 'after-approval', applePhasedRelease: true },
    });
    const sent = await app.sendToReview('1.0', '1');
    expect(app.version('1.0')).toMatchObject({ whatsNew: {}, phased: null });
    app.review('1.0', 'approve');
    await app.seen(sent, 'released');
  },
  PATIENCE,
);

test(
  'the editable version is used, also with another number, and neither a draft for macOS nor an older phased release stays',
  async () => {
    const app = await newApp();
    app.addVersion('9.9', 'PREPARE_FOR_SUBMISSION');
    appleSite.connect.app(app.bundleId).versions.push({
      ...(app.apple.versions[0] as (typeof app.apple.versions)[0]),
      id: 'macos',
      platform: 'MAC_OS',
      state: 'PREPARE_FOR_SUBMISSION',
      versionString: '2.0',
    });
    const { id } = app.version('9.9') as { id: string };
    const { log } = await app.sendToReview('1.1', '42');
    expect(app.version('1.1')).toMatchObject({ id, buildNumber: '42' });
    expect(app.version('9.9')).toBeUndefined();
    expect(app.version('2.0')).toMatchObject({ platform: 'MAC_OS', state: 'PREPARE_FOR_SUBMISSION' });
    expect(log).toContain('9.9');
  },
  PATIENCE,
);
