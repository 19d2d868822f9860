import { randomBytes } from 'node:crypto';
import { createTenant, type Tenant } from '../builders/identities.js';
import { depth, oneOf, seed } from '../setup/depth.js';
import { SubmissionFleet } from '../support/app-submissions/submission-fleet.js';
import {
  countRepeated,
  expectNoWorkLeft,
  hurrySubmissions,
  passOutages,
  PATIENCE,
  submitWhileKilling,
} from '../support/app-submissions/submission-kills.js';
import {
  endOfSubmission,
  readSubmission,
  submit,
  type TestSubmission,
} from '../support/app-submissions/submissions.js';
import { eventually } from '../support/eventually.js';
import { linesOf } from '../support/jobs/leases.js';
import { pick, randomOf } from '../support/random.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { sha256 } from '../support/sha256.js';
import { AppleSite, type TestFlightApp } from '../support/stores/apple-submissions.js';
import { uniqueName } from '../support/unique-name.js';
import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../support/stores/app-store-connect/app-store-connect.js';

/** Each so many builds, the file has several parts. */
const LARGE_EVERY = 3;
const PART = 256 * 1024;

const next = randomOf(seed);

/** A build that waits to be submitted to a TestFlight group. */
interface Planned {
  readonly published: TestFlightApp;
  /** The build number, and the second part of the version. */
  readonly number: number;
  readonly sha256: string;
  readonly appBuildId: string;
  readonly appDestinationId: string;
  readonly group: string;
}

let connect: AppStoreConnect;
let fleet: SubmissionFleet;
let proxy: DatabaseProxy;
let stopHurrying: () => Promise<void>;
let count = 0;

beforeAll(async () => {
  connect = await startAppStoreConnect();
  // So that kills hit something.
  connect.latency = 20;
  connect.storage.latency = 20;
  connect.storage.partSize = PART;
  connect.processing.polls = 2;
  const stores = { APP_STORE_CONNECT_URL: connect.url };
  fleet = await SubmissionFleet.start(stores, async (url) => (proxy = await DatabaseProxy.start(url)).url);
  stopHurrying = hurrySubmissions(fleet.site);
});
beforeEach(() => fleet.site.resume());
afterAll(async () => {
  await stopHurrying?.();
  await fleet?.stop();
  await connect?.stop();
  await proxy?.stop().catch(() => undefined);
});

/** What is planned of an app. */
interface Plan {
  readonly firstNumber: number;
  readonly builds: number;
  /** How many groups get each build, each by a destination of its own. */
  readonly groups: number;
}

/** Every third group is external: its builds need a beta review. */
const groupsOf = (buildNumber: number, groups: number): [string, 'internal' | 'external'][] =>
  Array.from({ length: groups }, (_, index) => {
    const isExternal = (buildNumber + index) % 3 === 0;
    return [`Build ${buildNumber}, group ${index + 1}`, isExternal ? 'external' : 'internal'];
  });

/** Builds of an app in Slipway, and destinations for each. */
async function plan(published: TestFlightApp, { firstNumber, builds, groups }: Plan): Promise<Planned[]> {
  const appAppleApiKeyId = await published.uploadKey(published.key.p8);
  const planned: Planned[] = [];
  for (let number = firstNumber; number < firstNumber + builds; number++) {
    // Of a version of its own, because Apple reviews one build of a version at a time.
    const ipa = await published.ipa(`1.${number}`, String(number), {
      ...(++count % LARGE_EVERY === 0 && { entries: { 'Payload/App.app/video.mp4': randomBytes(5 * PART) } }),
    });
    const appBuildId = await published.import(ipa);
    for (const [group] of groupsOf(number, groups)) {
      const fields = { appAppleApiKeyId, appleBetaGroups: [group] };
      const appDestinationId = await published.addDestination(fields);
      planned.push({ published, number, sha256: sha256(ipa), appBuildId, appDestinationId, group });
    }
  }
  return planned;
}

/** An app of App Store Connect with groups for its builds. @returns its bundle id, another one at each try of a test */
function addAppleApp(name: string, builds: number, groups: number): string {
  const all = Array.from({ length: builds }, (_, index) => groupsOf(index + 1, groups)).flat();
  return connect.addApp({ bundleId: `com.example.${uniqueName(name)}`, groups: Object.fromEntries(all) })
    .bundleId;
}

/** An app in an organization of its own, with an app at Apple and a key of its own. */
async function planAlone(name: string, builds: number, firstNumber = 1): Promise<Planned[]> {
  const published = await new AppleSite(fleet.site, connect).app(
    addAppleApp(name, firstNumber + builds - 1, 1),
  );
  return plan(published, { firstNumber, builds, groups: 1 });
}

/** Two such apps, for outages. */
async function planTwo(...names: readonly string[]): Promise<Planned[]> {
  return (await Promise.all(names.map((name) => planAlone(name, depth.submissionsInOutages / 2)))).flat();
}

const submitAll = (planned: readonly Planned[]): Promise<TestSubmission[]> =>
  Promise.all(
    planned.map(({ published: { app }, appBuildId, appDestinationId }) =>
      submit(app, { appBuildId, appDestinationId, releaseNotes: { default: 'Faster.' } }),
    ),
  );

/** How many times a group has got a build. */
const countGiven = (): number =>
  [...connect.state.apps.values()]
    .flatMap(({ groups }) => groups)
    .reduce((sum, { builds }) => sum + builds.size, 0);

/** Each submission has brought its build to its group; no build is there twice, and nothing else is left. */
async function expectInTestFlight(
  planned: readonly Planned[],
  submitted: readonly TestSubmission[],
): Promise<void> {
  const end = Date.now() + PATIENCE;
  for (const [index, { published, number, sha256: hash, group }] of planned.entries()) {
    const { app } = published;
    const submission = submitted[index]!;
    const job = await endOfSubmission(app, submission, Math.max(0, end - Date.now()));
    const reason = job.status === 'succeeded' ? [] : [job.statusMessage, ...linesOf(job)];
    expect([seed, job.status, ...reason]).toEqual([seed, 'succeeded']);
    expect((await readSubmission(app, submission)).submission.state).toBe('prepared');
    const [build, ...others] = published.builds.filter((one) => one.buildNumber === String(number));
    expect(others).toEqual([]);
    expect(build).toMatchObject({
      version: `1.${number}`,
      sha256: hash,
      usesNonExemptEncryption: false,
      notes: { 'en-US': 'Faster.' },
    });
    expect(build?.groups).toContain(group);
  }
  expectEachUploadedOnce(planned);
  await expectNothingLeft();
}

/** The file of each build was delivered once, and no other. */
function expectEachUploadedOnce(planned: readonly Planned[]): void {
  for (const apple of new Set(planned.map(({ published }) => published.apple))) {
    const numbers = planned.filter(({ published }) => published.apple === apple).map(({ number }) => number);
    const expected = [...new Set(numbers)].map((number) => [String(number), 'COMPLETE', 1]).toSorted();
    expect(apple.builds).toHaveLength(expected.length);
    expect(apple.uploads.map((one) => [one.buildNumber, one.state, one.file?.commits]).toSorted()).toEqual(
      expected,
    );
  }
  expect(connect.storage.leaks).toEqual([]);
}

const expectNothingLeft = (): Promise<void> =>
  expectNoWorkLeft(fleet.site, () => {
    const uploads = [...connect.state.apps.values()].flatMap((app) => app.uploads);
    expect(uploads.filter(({ state }) => state === 'AWAITING_UPLOAD')).toEqual([]);
  });

/** Calls that each build needs. */
const CALLS = [
  'createBuildUpload',
  'createBuildUploadFile',
  'commitFile',
  'updateBuild',
  'updateLocalization',
  'addToGroup',
] as const;
const WHEN = ['before', 'after'] as const;

it('brings submissions of three organizations to TestFlight, each build once, while servers are killed', async () => {
  const startedAt = Date.now();
  const key = connect.addKey();
  const bundleId = addAppleApp('shared', 15, 2);
  const [first, second] = [await createTenant(fleet.site), await createTenant(fleet.site)];
  const shared = async (tenant: Tenant, firstNumber: number, builds: number): Promise<Planned[]> => {
    const published = await new AppleSite(fleet.site, connect).app(bundleId, { key, tenant });
    return plan(published, { firstNumber, builds, groups: 2 });
  };
  const alone = Math.floor(depth.killedSubmissions / 5);
  const together = depth.killedSubmissions / 2 - alone;
  const each = Math.ceil(together / 3);
  const planned = (
    await Promise.all([
      // Three apps of two organizations with one key and one app at Apple, and two destinations for each build.
      shared(first, 1, each),
      planAlone('news', alone),
      planAlone('shop', alone),
      shared(second, 6, each),
      shared(first, 11, together - 2 * each),
    ])
  ).flat();
  expect(planned).toHaveLength(depth.killedSubmissions);
  const { submitted, kills } = await submitWhileKilling(fleet, planned, submitAll, {
    next,
    countDone: countGiven,
    hold: () => connect.hold(pick(CALLS, next), pick(WHEN, next), { after: Math.floor(2 * next()) }),
  });
  await expectInTestFlight(planned, submitted);
  const repeated = await countRepeated(fleet.site);
  expect(repeated).toBeGreaterThan(0);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  process.stdout.write(`TestFlight: ${JSON.stringify({ seed, kills, repeated, seconds })}\n`);
}, 1_200_000);

describe.each(oneOf(WHEN))('when all servers are killed %s Apple did its work', (when) => {
  it('in each kind of call, each submission ends in one build', async () => {
    const planned = (await Promise.all(CALLS.map((call) => planAlone(`${when}-${call}`, 1)))).flat();
    const holds = CALLS.map((call) => connect.hold(call, when));
    const submitted = await submitAll(planned);
    await fleet.replaceIn(holds);
    await expectInTestFlight(planned, submitted);
  });

  it('in the beta review and in a part of the file, each submission ends in one build', async () => {
    // The third group is external, and the file of its build has several parts.
    count = LARGE_EVERY - 1;
    const planned = await planAlone(`${when}-review`, 1, 3);
    const part = connect.storage.faults.hold({ call: 'putPart', after: 2 }, when);
    const review = connect.hold('betaReview', when);
    const submitted = await submitAll(planned);
    await fleet.replaceIn([part]);
    await fleet.replaceIn([review]);
    await expectInTestFlight(planned, submitted);
  });
});

it('leaves no upload when it is canceled while Apple makes one', async () => {
  const planned = await planAlone('canceled', 1);
  const hold = connect.hold('createBuildUpload', 'after');
  const [submission] = await submitAll(planned);
  await hold.arrived;
  const { published } = planned[0]!;
  const canceled = await published.app.api.patch(`/v1/jobs/${submission!.jobId}`, { status: 'canceled' });
  expect(canceled.status).toBe(200);
  hold.release();
  await eventually(() => expect(connect.callsOf('deleteBuildUpload')).not.toEqual([]));
  await expectNothingLeft();
  expect(published.builds).toEqual([]);
});

it('goes on where it was when the database was away', async () => {
  const planned = await planTwo('one', 'two');
  const submitted = await submitAll(planned);
  await passOutages(countGiven, next, async () => {
    await proxy.stop();
    await fleet.expireHeartbeats();
    return () => proxy.resume();
  });
  await expectInTestFlight(planned, submitted);
}, 480_000);

it('goes on where it was when App Store Connect was away, and addresses of uploads had ended meanwhile', async () => {
  const planned = await planTwo('red', 'blue');
  const submitted = await submitAll(planned);
  await passOutages(countGiven, next, async () => {
    await Promise.all([connect.pause(), connect.storage.pause()]);
    connect.storage.expireOperations();
    return () => Promise.all([connect.resume(), connect.storage.resume()]);
  });
  await expectInTestFlight(planned, submitted);
}, 480_000);
