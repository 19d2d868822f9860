import { setTimeout as sleep } from 'node:timers/promises';
import { isDeep, oneOf, seed, someOf } from '../setup/depth.js';
import { SubmissionFleet } from '../support/app-submissions/submission-fleet.js';
import {
  countRepeated,
  expectNoWorkLeft,
  hurrySubmissions,
  killServers,
  PATIENCE,
} from '../support/app-submissions/submission-kills.js';
import { eventually } from '../support/eventually.js';
import { pick, randomOf } from '../support/random.js';
import { AppleSite } from '../support/stores/apple-submissions.js';
import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../support/stores/app-store-connect/app-store-connect.js';
import { AppStoreApp, type TestStoreRelease } from '../support/stores/app-store-releases.js';
import type { Hold } from '../support/stores/stand-in/faults.js';
import { uniqueName } from '../support/unique-name.js';

const next = randomOf(seed);

let connect: AppStoreConnect;
let fleet: SubmissionFleet;
let appleSite: AppleSite;
let stopHurrying: () => Promise<void>;

beforeAll(async () => {
  connect = await startAppStoreConnect();
  // So that kills hit something.
  connect.latency = 20;
  connect.storage.latency = 20;
  Object.assign(connect.review, { cancelReads: 2, completeReads: 1, liveReads: 1, lockedEdits: 1 });
  fleet = await SubmissionFleet.start({ APP_STORE_CONNECT_URL: connect.url, RELEASE_WATCH_SECONDS: '1' });
  appleSite = new AppleSite(fleet.site, connect);
  stopHurrying = hurrySubmissions(fleet.site);
});
beforeEach(async () => {
  // Of a test that has failed.
  connect.faults.clear();
  await fleet.site.resume();
});
afterAll(async () => {
  await stopHurrying?.();
  await fleet?.stop();
  await connect?.stop();
});

const newApp = (name: string, destination: object = {}): Promise<AppStoreApp> =>
  AppStoreApp.of(appleSite, `com.example.${uniqueName(name)}`, { destination });

/** Repeats a request until a server takes it, as clients do. */
const send = <T>(request: () => Promise<T>): Promise<T> => eventually(request, PATIENCE);

/** A deployment as it is now, also while servers restart. */
const read = (app: AppStoreApp, id: string): Promise<TestStoreRelease> =>
  send(async () => {
    const deployment = await app.deployment(id);
    expect(deployment.submission).toBeDefined();
    return deployment;
  });

/** Submits a build, once, however often its request is repeated. */
async function deploy(app: AppStoreApp, appBuildId: string, appDestinationId: string): Promise<string> {
  const path = `${app.app.path}/deployments`;
  return send(async () => {
    const { status, body } = await app.app.api.post(path, {
      appBuildId,
      appDestinationId,
      releaseNotes: { default: 'Faster.' },
    });
    const { id, code } = body as { id?: string; code?: string };
    if (id !== undefined && status < 300) return id;
    // The response of the first request was lost, and the submission has ended meanwhile.
    expect([status, code]).toEqual([409, 'already_submitted']);
    const { body: all } = await app.app.api.get(`${path}?appBuildId=${appBuildId}&limit=100`);
    return (all as { id: string }[])[0]!.id;
  });
}

/** Waits until the job of a deployment has succeeded. */
async function succeeded(app: AppStoreApp, id: string): Promise<void> {
  const { jobId } = await read(app, id);
  await eventually(async () => {
    const job = await app.job({ jobId });
    expect([job.id, job['finishedAt']]).not.toContain(null);
    return job;
  }, PATIENCE);
  const job = await send(() => app.job({ jobId }));
  const log = await send(() => app.log({ jobId }));
  expect([seed, job.status, job['statusMessage'], log]).toEqual([seed, 'succeeded', null, expect.anything()]);
}

/** Waits until a release is somewhere, and nothing changes it. */
async function arrivesAt(app: AppStoreApp, id: string, ...statuses: string[]): Promise<void> {
  await eventually(async () => {
    const { release, openAction } = (await app.deployment(id)).submission;
    expect([seed, openAction?.action ?? null]).toEqual([seed, null]);
    expect(statuses).toContain(release?.status);
  }, PATIENCE);
}

/** Requests a change until the release is as wanted. */
async function change(
  app: AppStoreApp,
  id: string,
  request: () => Promise<{ status: number; body: unknown }>,
  status: string,
): Promise<void> {
  await send(async () => expect(await request()).toMatchObject({ status: 200 }));
  await arrivesAt(app, id, status);
}

const release = (app: AppStoreApp, id: string): Promise<void> =>
  change(app, id, () => app.request({ id }, 'release'), 'released');
const withdraw = (app: AppStoreApp, id: string): Promise<void> =>
  change(app, id, () => app.request({ id }, 'withdraw'), 'withdrawn');
const setShare = (app: AppStoreApp, id: string, share: number, status: string): Promise<void> =>
  change(app, id, () => app.setShare({ id }, share), status);

/** Builds a version and sends it to review. @returns the id of the deployment */
async function submit(app: AppStoreApp, version: string, number: number): Promise<string> {
  const build = await send(() => app.build(version, String(number)));
  const id = await deploy(app, build, app.destinationId);
  await succeeded(app, id);
  return id;
}

/** Waits until both have ended, also when one fails, so that nothing kills the servers of the next test. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** How a version gets to its users: each ends in one release of version `1.<minor>`. */
interface Journey {
  readonly name: string;
  readonly destination?: object;
  readonly run: (app: AppStoreApp, minor: number) => Promise<void>;
}

const JOURNEYS: readonly Journey[] = [
  {
    name: 'manual',
    run: async (app, minor) => {
      const id = await submit(app, `1.${minor}`, minor);
      app.review(`1.${minor}`, 'begin');
      await arrivesAt(app, id, 'in_review');
      app.review(`1.${minor}`, 'approve');
      await arrivesAt(app, id, 'approved');
      await release(app, id);
    },
  },
  {
    name: 'withdrawn',
    run: async (app, minor) => {
      const first = await submit(app, `1.${minor}`, 2 * minor);
      await withdraw(app, first);
      const second = await submit(app, `1.${minor}`, 2 * minor + 1);
      app.review(`1.${minor}`, 'approve');
      await arrivesAt(app, second, 'approved');
      await release(app, second);
    },
  },
  {
    name: 'phased',
    destination: { appleReleaseType: 'after-approval', applePhasedRelease: true },
    run: async (app, minor) => {
      const id = await submit(app, `1.${minor}`, minor);
      app.review(`1.${minor}`, 'approve');
      await arrivesAt(app, id, 'rolling_out');
      connect.passDays(app.bundleId, `1.${minor}`, 3);
      await eventually(async () => {
        const { release: known } = (await app.deployment(id)).submission;
        expect(known?.rolloutPercentage).toBe(0.1);
      }, PATIENCE);
      await setShare(app, id, 0, 'paused');
      await setShare(app, id, 0.1, 'rolling_out');
      await setShare(app, id, 1, 'released');
    },
  },
  {
    name: 'rejected',
    run: async (app, minor) => {
      const first = await submit(app, `1.${minor}`, 2 * minor);
      app.review(`1.${minor}`, 'reject');
      await arrivesAt(app, first, 'rejected');
      const second = await submit(app, `1.${minor}`, 2 * minor + 1);
      app.review(`1.${minor}`, 'approve');
      await arrivesAt(app, second, 'approved');
      await release(app, second);
    },
  },
  {
    name: 'hotfix',
    destination: { appleRejectIfPossible: true },
    run: async (app, minor) => {
      await submit(app, `1.${minor}.1`, 2 * minor);
      const second = await submit(app, `1.${minor}.2`, 2 * minor + 1);
      app.review(`1.${minor}.2`, 'approve');
      await arrivesAt(app, second, 'approved');
      await release(app, second);
    },
  },
];

/** Each version went live once, nothing is in review, and nothing is left of any submission. */
async function expectOneReleaseEach(app: AppStoreApp, releases: number): Promise<void> {
  const live = app.apple.releases.map(({ versionString }) => versionString);
  expect([seed, live.length, new Set(live).size]).toEqual([seed, releases, releases]);
  expect(app.apple.releases.every(({ buildId }) => buildId !== null)).toBe(true);
  const numbers = app.apple.builds.map(({ buildNumber }) => buildNumber);
  expect(new Set(numbers).size).toBe(numbers.length);
  // Each build was in review once.
  expect([seed, new Set(app.apple.reviews).size]).toEqual([seed, app.apple.reviews.length]);
}

const expectNothingLeft = (): Promise<void> =>
  expectNoWorkLeft(fleet.site, () => {
    const apps = [...connect.state.apps.values()];
    const open = apps
      .flatMap(({ reviewSubmissions }) => reviewSubmissions)
      .filter(({ state }) => state !== 'COMPLETE');
    expect(open.map(({ state, items }) => [state, items.length])).toEqual([]);
    const uploads = apps.flatMap((app) => app.uploads);
    expect(uploads.filter(({ state }) => state === 'AWAITING_UPLOAD')).toEqual([]);
  });

/** Calls of each journey. */
const CALLS = [
  'createStoreVersion',
  'attachBuild',
  'updateVersionLocalization',
  'createReviewSubmission',
  'addReviewItem',
  'updateReviewSubmission',
] as const;
const WHEN = ['before', 'after'] as const;

it('releases each version once, whichever way it goes, while servers are killed', async () => {
  const startedAt = Date.now();
  // Before the first kill, because clients do not repeat everything that makes an app.
  const apps = await Promise.all(JOURNEYS.map(({ name, destination }) => newApp(name, destination)));
  let isOver = false;
  const journeys = Promise.all(
    JOURNEYS.map(async ({ run }, index) => {
      const app = apps[index]!;
      let minor = 0;
      // Again and again, so that each kill hits something.
      while (!isOver) await run(app, ++minor);
      return { app, releases: minor };
    }),
  );
  const unlessFailed = (moment: Promise<void>): Promise<void> =>
    Promise.race([moment, journeys.then(() => undefined)]);
  const killing = async (): Promise<number> => {
    await eventually(() => expect(connect.callsOf('createReviewSubmission')).not.toEqual([]), PATIENCE);
    return killServers(fleet, {
      next,
      hold: () => {
        const { arrived, release } = connect.hold(pick(CALLS, next), pick(WHEN, next));
        return { arrived: unlessFailed(arrived), release };
      },
      moment: () => unlessFailed(sleep(500 + next() * 3000)),
    });
  };
  const [released, kills] = await both(
    journeys,
    killing().finally(() => (isOver = true)),
  );
  for (const { app, releases } of released) await expectOneReleaseEach(app, releases);
  await expectNothingLeft();
  const repeated = await countRepeated(fleet.site);
  expect(repeated).toBeGreaterThan(0);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const counts = released.map(({ app, releases }) => [app.bundleId.slice(12), releases]);
  process.stdout.write(`App Store releases: ${JSON.stringify({ seed, kills, repeated, seconds, counts })}\n`);
}, 1_200_000);

/** Calls in the middle of which all servers are killed, in `npm run test:deep` as often as a journey makes them. */
const HELD = [
  ...someOf([
    ...CALLS,
    'updateStoreVersion',
    'releaseVersion',
    'createPhasedRelease',
    'updatePhasedRelease',
  ] as const),
  ...(isDeep ? (['updateReviewSubmission', 'updatePhasedRelease', 'updatePhasedRelease'] as const) : []),
] as const;

it('releases each version once when all servers are killed before or after Apple did the work of each call', async () => {
  const apps = await Promise.all(JOURNEYS.map(({ name, destination }) => newApp(name, destination)));
  const arrived: Hold[] = [];
  for (const hold of oneOf(WHEN).flatMap((when) => HELD.map((call) => connect.hold(call, when)))) {
    void hold.arrived.then(() => arrived.push(hold));
  }
  let isOver = false;
  const journeys = Promise.all(JOURNEYS.map(({ run }, index) => run(apps[index]!, 1)));
  const killing = async (): Promise<void> => {
    while (!isOver) {
      await sleep(200);
      if (arrived.length === 0) continue;
      // The same kill hits calls of other journeys.
      await sleep(1500);
      await fleet.replaceIn(arrived.splice(0));
    }
  };
  await both(
    journeys.finally(() => (isOver = true)),
    killing(),
  );
  expect(connect.faults.waiting).toEqual([]);
  for (const app of apps) await expectOneReleaseEach(app, 1);
  await expectNothingLeft();
}, 1_200_000);
