import { randomBytes } from 'node:crypto';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { depth, seed } from '../setup/depth.js';
import { crash } from '../support/app-submissions/crash.js';
import { SubmissionFleet } from '../support/app-submissions/submission-fleet.js';
import {
  countRepeated,
  expectNoWorkLeft,
  passOutages,
  PATIENCE,
  submitWhileKilling,
} from '../support/app-submissions/submission-kills.js';
import {
  createPlayDestination,
  endOfSubmission,
  importAab,
  readSubmission,
  submit,
  type TestSubmission,
  uploadPlayKey,
} from '../support/app-submissions/submissions.js';
import { linesOf } from '../support/jobs/leases.js';
import { pick, randomOf } from '../support/random.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { type GooglePlay, startGooglePlay } from '../support/stores/google-play/google-play.js';
import type { ServiceAccountKey } from '../support/stores/google-play/service-accounts.js';

/** Each so many submissions, the file needs more than one chunk. */
const LARGE_EVERY = 5;
const LARGE = 9 * 1024 * 1024;

const next = randomOf(seed);

/** A build that waits to be submitted to a track of its own. */
interface Planned {
  readonly app: TestApp;
  readonly packageName: string;
  readonly versionCode: number;
  readonly appBuildId: string;
  readonly appDestinationId: string;
}

let play: GooglePlay;
let fleet: SubmissionFleet;
let proxy: DatabaseProxy;
let count = 0;

beforeAll(async () => {
  play = await startGooglePlay();
  // So that kills hit something.
  play.latency = 20;
  const stores = { GOOGLE_PLAY_URL: play.url, GOOGLE_TOKEN_URL: play.tokenUrl };
  fleet = await SubmissionFleet.start(stores, async (url) => (proxy = await DatabaseProxy.start(url)).url);
});
beforeEach(() => fleet.site.resume());
afterAll(async () => {
  await fleet?.stop();
  await play?.stop();
  await proxy?.stop().catch(() => undefined);
});

/** Builds of an app, and a track for each. @param firstCode the version code of the first one */
async function plan(
  app: TestApp,
  key: ServiceAccountKey,
  packageName: string,
  firstCode: number,
  builds: number,
): Promise<Planned[]> {
  const keyId = await uploadPlayKey(app, key);
  const planned: Planned[] = [];
  for (let versionCode = firstCode; versionCode < firstCode + builds; versionCode++) {
    const isLarge = ++count % LARGE_EVERY === 0;
    planned.push({
      app,
      packageName,
      versionCode,
      appBuildId: await importAab(app, {
        packageName,
        versionCode,
        ...(isLarge && { entries: { 'base/assets/video.mp4': randomBytes(LARGE) } }),
      }),
      appDestinationId: await createPlayDestination(app, keyId, {
        androidPackageName: packageName,
        googlePlayTrack: trackOf(versionCode),
      }),
    });
  }
  return planned;
}

const trackOf = (versionCode: number): string => `track-${versionCode}`;

/** An app of the Play Console with a track for each version, and what signs in to it. */
function addPackage(packageName: string, versions: number): ServiceAccountKey {
  const names = Array.from({ length: versions }, (_, index) => trackOf(index + 1));
  play.addApp({ packageName, tracks: Object.fromEntries(names.map((name) => [name, []])) });
  return play.addServiceAccount({ packages: [packageName] });
}

/** An app in an organization of its own, with a package of its own, and builds of it. */
async function planAlone(packageName: string, builds: number): Promise<Planned[]> {
  const app = await createApp(await createTenant(fleet.site));
  return plan(app, addPackage(packageName, builds), packageName, 1, builds);
}

/** Two such apps, for outages. */
async function planTwo(...names: readonly string[]): Promise<Planned[]> {
  const builds = depth.submissionsInOutages / 2;
  return (await Promise.all(names.map((name) => planAlone(`com.example.${name}`, builds)))).flat();
}

const submitAll = (planned: readonly Planned[]): Promise<TestSubmission[]> =>
  Promise.all(
    planned.map(({ app, appBuildId, appDestinationId }) => submit(app, { appBuildId, appDestinationId })),
  );

const countCommitted = (): number => play.committed.length;

/** Each submission has made its release once, and nothing of it is left. */
async function expectReleased(
  planned: readonly Planned[],
  submitted: readonly TestSubmission[],
): Promise<void> {
  const end = Date.now() + PATIENCE;
  for (const [index, { app, packageName, versionCode }] of planned.entries()) {
    const submission = submitted[index]!;
    const job = await endOfSubmission(app, submission, Math.max(0, end - Date.now()));
    const log = linesOf(job);
    expect([seed, job.status, job.statusMessage, ...(job.status === 'succeeded' ? [] : log)]).toEqual([
      seed,
      'succeeded',
      null,
    ]);
    const releases = play.committed.filter(
      (one) => one.packageName === packageName && one.release.versionCodes.includes(String(versionCode)),
    );
    expect(releases).toMatchObject([{ track: trackOf(versionCode), release: { status: 'completed' } }]);
    expect((await readSubmission(app, submission)).submission.state).toBe('prepared');
    const live = play.app(packageName).tracks.get(trackOf(versionCode));
    expect(live).toMatchObject([{ versionCodes: [String(versionCode)], status: 'completed' }]);
  }
  await expectNothingLeft();
}

const expectNothingLeft = (): Promise<void> =>
  expectNoWorkLeft(fleet.site, () => {
    const open = [...play.state.edits.values()].filter(({ state }) => state === 'open');
    expect(open.map(({ id, app }) => `${id} of ${app.packageName}`)).toEqual([]);
  });

/** Calls that each submission makes. */
const CALLS = ['insert', 'startUpload', 'putChunk', 'updateTrack', 'validate', 'commit'] as const;
const WHEN = ['before', 'after'] as const;

it('makes each submission of three organizations one release, while servers are killed', async () => {
  const startedAt = Date.now();
  const shared = addPackage('com.example.shared', 30);
  const [first, second] = [await createTenant(fleet.site), await createTenant(fleet.site)];
  const each = Math.floor(depth.killedSubmissions / 5);
  const planned = (
    await Promise.all([
      // Three apps of two organizations with one service account and one package.
      plan(await createApp(first), shared, 'com.example.shared', 1, each),
      planAlone('com.example.news', each),
      planAlone('com.example.shop', depth.killedSubmissions - 4 * each),
      plan(await createApp(first), shared, 'com.example.shared', 11, each),
      plan(await createApp(second), shared, 'com.example.shared', 21, each),
    ])
  ).flat();
  const { submitted, kills } = await submitWhileKilling(fleet, planned, submitAll, {
    next,
    countDone: countCommitted,
    hold: () => play.hold(pick(CALLS, next), pick(WHEN, next), { after: Math.floor(3 * next()) }),
  });
  await expectReleased(planned, submitted);
  const repeated = await countRepeated(fleet.site);
  expect(repeated).toBeGreaterThan(0);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  process.stdout.write(`Google Play: ${JSON.stringify({ seed, kills, repeated, seconds })}\n`);
}, 1_200_000);

it.each(WHEN)(
  'ends each submission in one release when all servers are killed in its calls, %s Google Play did its work',
  async (when) => {
    const planned = (
      await Promise.all(CALLS.map((call) => planAlone(`com.example.${when}.${call.toLowerCase()}`, 1)))
    ).flat();
    const holds = CALLS.map((call) => play.hold(call, when));
    const submitted = await submitAll(planned);
    await fleet.replaceIn(holds);
    await expectReleased(planned, submitted);
  },
);

it('leaves no edit when it is canceled while Google Play opens one', async () => {
  const planned = await planAlone('com.example.canceled', 1);
  const hold = play.hold('insert', 'after');
  const [submission] = await submitAll(planned);
  await hold.arrived;
  const { app } = planned[0]!;
  expect((await app.api.patch(`/v1/jobs/${submission!.jobId}`, { status: 'canceled' })).status).toBe(200);
  hold.release();
  await expectNothingLeft();
  expect(play.committed.filter((one) => one.packageName === 'com.example.canceled')).toEqual([]);
});

it('answers 503, and submits nothing, when the database goes away while the task of the job is written', async () => {
  const [planned] = await planAlone('com.example.cut', 1);
  const { app, appBuildId, appDestinationId } = planned!;
  const held = proxy.holdNext('INSERT INTO queue.job');
  const response = app.api.post(`${app.path}/deployments`, { appBuildId, appDestinationId });
  const answered = response.then(({ status }) => status);
  await held;
  await proxy.stop();
  const status = await answered;
  await proxy.resume();
  expect(status).toBe(503);
  expect(await fleet.site.query('SELECT FROM submissions WHERE app_id = $1', [app.id])).toEqual([]);
});

it('goes on where it was when the database was away', async () => {
  const planned = await planTwo('one', 'two');
  const submitted = await submitAll(planned);
  await passOutages(countCommitted, next, async () => {
    await proxy.stop();
    await fleet.expireHeartbeats();
    return () => proxy.resume();
  });
  await expectReleased(planned, submitted);
}, 480_000);

it('goes on where it was when Google Play was away, and had forgotten tokens and uploads', async () => {
  const planned = await planTwo('red', 'blue');
  const submitted = await submitAll(planned);
  await passOutages(countCommitted, next, () => crash(play));
  await expectReleased(planned, submitted);
}, 480_000);
