import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { crash } from '../support/app-submissions/crash.js';
import { SubmissionFleet } from '../support/app-submissions/submission-fleet.js';
import {
  countRepeated,
  expectNoWorkLeft,
  killAtRandom,
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
import { eventually } from '../support/eventually.js';
import { linesOf } from '../support/jobs/leases.js';
import { randomOf } from '../support/random.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { type GooglePlay, startGooglePlay } from '../support/stores/google-play/google-play.js';
import type { ServiceAccountKey } from '../support/stores/google-play/service-accounts.js';

/** Milliseconds until all submissions have ended: many kills, each of which is found after ten seconds. */
const PATIENCE = 420_000;
/** Each so many submissions, the file needs more than one chunk. */
const LARGE_EVERY = 5;
const LARGE = 9 * 1024 * 1024;

/** `CHAOS_SEED` repeats the choices of a run. */
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1e6);
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
}, 60_000);
beforeEach(() => fleet.resume(), 60_000);
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

it('makes 50 submissions of three organizations one release each, while servers are killed at random', async () => {
  const startedAt = Date.now();
  const shared = addPackage('com.example.shared', 30);
  const [first, second] = [await createTenant(fleet.site), await createTenant(fleet.site)];
  const planned = (
    await Promise.all([
      // Three apps of two organizations with one service account and one package.
      plan(await createApp(first), shared, 'com.example.shared', 1, 10),
      plan(await createApp(first), shared, 'com.example.shared', 11, 10),
      plan(await createApp(second), shared, 'com.example.shared', 21, 10),
      planAlone('com.example.news', 10),
      planAlone('com.example.shop', 10),
    ])
  ).flat();
  const submitted = await submitAll(planned);
  const kills = await killAtRandom(fleet, countCommitted, next, PATIENCE);
  await expectReleased(planned, submitted);
  const repeated = await countRepeated(fleet.site);
  expect(repeated).toBeGreaterThan(0);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  process.stdout.write(`50 submissions: ${JSON.stringify({ seed, kills, repeated, seconds })}\n`);
}, 600_000);

/** Calls in the middle of which all servers are killed, each in a submission of its own. */
const CALLS = [
  ['insert', 'startUpload', 'putChunk'],
  ['updateTrack', 'validate', 'commit'],
] as const;

describe.each(['before', 'after'] as const)(
  'when all servers are killed %s Google Play did its work',
  (when) => {
    it.each(CALLS)(
      'in %s, %s and %s, each submission ends in one release',
      async (...calls) => {
        const planned = (
          await Promise.all(calls.map((call) => planAlone(`com.example.${when}.${call.toLowerCase()}`, 1)))
        ).flat();
        const holds = calls.map((call) => play.hold(call, when));
        const submitted = await submitAll(planned);
        await Promise.all(holds.map(({ arrived }) => arrived));
        await Promise.all([fleet.kill(0), fleet.kill(1)]);
        for (const { release } of holds) release();
        await Promise.all([fleet.restart(0), fleet.restart(1)]);
        await expectReleased(planned, submitted);
      },
      240_000,
    );
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
}, 120_000);

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
}, 60_000);

it('goes on where it was when the database was away', async () => {
  const planned = (
    await Promise.all([planAlone('com.example.one', 4), planAlone('com.example.two', 4)])
  ).flat();
  const submitted = await submitAll(planned);
  const before = countCommitted();
  for (let outage = 1; outage <= 3; outage++) {
    // A step that an outage has ended is repeated after a while.
    await eventually(() => expect(countCommitted()).toBeGreaterThanOrEqual(before + outage), 60_000);
    await sleep(next() * 300);
    await proxy.stop();
    await sleep(500 + next() * 1000);
    await proxy.resume();
  }
  await expectReleased(planned, submitted);
}, 480_000);

it('goes on where it was when Google Play was away, and had forgotten tokens and uploads', async () => {
  const planned = (
    await Promise.all([planAlone('com.example.red', 4), planAlone('com.example.blue', 4)])
  ).flat();
  const submitted = await submitAll(planned);
  const before = countCommitted();
  for (let outage = 1; outage <= 3; outage++) {
    await eventually(() => expect(countCommitted()).toBeGreaterThanOrEqual(before + outage), 120_000);
    await sleep(next() * 300);
    const comeBack = await crash(play);
    await sleep(500 + next() * 1000);
    await comeBack();
  }
  await expectReleased(planned, submitted);
}, 480_000);
