import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { depth, oneOf, seed } from '../setup/depth.js';
import { SubmissionFleet } from '../support/app-submissions/submission-fleet.js';
import {
  countRepeated,
  expectNoWorkLeft,
  killServers,
  PATIENCE,
} from '../support/app-submissions/submission-kills.js';
import { createPlayDestination, importAab, uploadPlayKey } from '../support/app-submissions/submissions.js';
import { eventually } from '../support/eventually.js';
import { pick, randomOf } from '../support/random.js';
import { type GooglePlay, startGooglePlay } from '../support/stores/google-play/google-play.js';
import type { Release } from '../support/stores/google-play/publisher/play-state.js';
import type { TestStoreDeployment } from '../support/stores/store-submissions.js';

/** Apps that are released at a time. */
const LANES = 6;
/** What a rollout goes through, after its start with 10 %. */
const SHARES = [0.3, 0, 0.3, 0.6, 1];

const next = randomOf(seed);

/** An app with a build that goes to testers, is promoted, and rolled out to all users. */
interface Journey {
  readonly app: TestApp;
  readonly packageName: string;
  readonly hasReviews: boolean;
  readonly appBuildId: string;
  readonly internal: string;
  readonly production: string;
}

let play: GooglePlay;
let fleet: SubmissionFleet;

beforeAll(async () => {
  play = await startGooglePlay();
  // So that kills hit something.
  play.latency = 30;
  fleet = await SubmissionFleet.start({
    GOOGLE_PLAY_URL: play.url,
    GOOGLE_TOKEN_URL: play.tokenUrl,
    RELEASE_WATCH_SECONDS: '1',
  });
});
beforeEach(() => fleet.site.resume());
afterAll(async () => {
  await fleet?.stop();
  await play?.stop();
});

const OLDER: Release = { status: 'completed', versionCodes: ['1'], lifecycle: 'PUBLISHED' };

async function planJourney(name: string, hasReviews: boolean): Promise<Journey> {
  const packageName = `com.example.${name}`;
  play.addApp({ packageName, hasReviews, tracks: { production: [OLDER] } });
  const key = play.addServiceAccount({ packages: [packageName] });
  const app = await createApp(await createTenant(fleet.site));
  const keyId = await uploadPlayKey(app, key);
  const toTrack = (googlePlayTrack: string): Promise<string> =>
    createPlayDestination(app, keyId, { androidPackageName: packageName, googlePlayTrack });
  return {
    app,
    packageName,
    hasReviews,
    appBuildId: await importAab(app, { packageName, versionCode: 42 }),
    internal: await toTrack('internal'),
    production: await toTrack('production'),
  };
}

/** Requests are repeated while the server is away, as clients do. */
function repeated<T>(request: () => Promise<{ status: number; body: unknown }>, status: number): Promise<T> {
  return eventually(async () => {
    const response = await request();
    expect([response.status, response.body]).toEqual([status, expect.anything()]);
    return response.body as T;
  }, PATIENCE);
}

async function deploy(
  { app, appBuildId }: Journey,
  appDestinationId: string,
  values: object = {},
): Promise<string> {
  const body = { appBuildId, appDestinationId, ...values };
  const request = async () =>
    app.api
      .request('post', `${app.path}/deployments`)
      .set('Idempotency-Key', `${appBuildId} ${appDestinationId}`)
      .send(body);
  return (await repeated<TestStoreDeployment>(request, 201)).id;
}

/** Waits until a release is in a status, with a share. */
async function reach({ app }: Journey, id: string, status: string, share: number): Promise<void> {
  await eventually(async () => {
    const { body } = await app.api.get(`${app.path}/deployments/${id}`);
    const { state, message, release, openAction } = (body as TestStoreDeployment).submission;
    expect([state, message, openAction]).toEqual(['prepared', expect.anything(), null]);
    expect(release).toMatchObject({ status, rolloutPercentage: share });
  }, PATIENCE);
}

async function run(journey: Journey): Promise<void> {
  const { app, packageName, hasReviews, internal, production } = journey;
  await reach(journey, await deploy(journey, internal), 'released', 1);
  const id = await deploy(journey, production, { rolloutPercentage: 0.1 });
  if (hasReviews) {
    await reach(journey, id, 'in_review', 0.1);
    play.finishReview(packageName, 'approved');
  }
  await reach(journey, id, 'rolling_out', 0.1);
  for (const share of SHARES) {
    const patch = () => app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage: share });
    await repeated(patch, 200);
    await reach(journey, id, share === 0 ? 'halted' : share === 1 ? 'released' : 'rolling_out', share);
  }
}

/** Everything has happened once, in its order. */
function expectOnce({ packageName }: Journey): void {
  expect([seed, play.historyOf(packageName, 'internal'), play.historyOf(packageName, 'production')]).toEqual([
    seed,
    ['42 completed'],
    [
      '1 completed',
      '42 inProgress 0.1, 1 completed',
      '42 inProgress 0.3, 1 completed',
      '42 halted 0.3, 1 completed',
      '42 inProgress 0.3, 1 completed',
      '42 inProgress 0.6, 1 completed',
      '42 completed',
    ],
  ]);
  const edits = [...play.state.edits.values()].filter(({ app }) => app.packageName === packageName);
  expect(edits.filter(({ state }) => state === 'committed')).toHaveLength(2 + SHARES.length);
  expect(play.state.app(packageName).artifacts.size).toBe(1);
}

const expectNothingLeft = (): Promise<void> =>
  expectNoWorkLeft(fleet.site, () => {
    const open = [...play.state.edits.values()].filter(({ state }) => state === 'open');
    expect(open.map(({ id, app }) => `${id} of ${app.packageName}`)).toEqual([]);
  });

/** Calls of each submission, promotion and change. */
const CALLS = ['insert', 'track', 'updateTrack', 'validate', 'commit'] as const;
const WHEN = ['before', 'after'] as const;

it('submits, promotes and rolls out releases in steps, each once, while servers are killed', async () => {
  const startedAt = Date.now();
  // Each is submitted and promoted.
  const numbers = Array.from({ length: depth.killedSubmissions / 2 }, (_, number) => number);
  const journeys = await Promise.all(
    numbers.map((number) => planJourney(`journey${number}`, number % 2 === 0)),
  );
  const waiting = [...journeys];
  const lane = async (): Promise<void> => {
    for (let journey = waiting.shift(); journey !== undefined; journey = waiting.shift()) await run(journey);
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane)).then(() => undefined);
  const [, kills] = await Promise.all([
    lanes,
    killServers(fleet, {
      next,
      hold: () => {
        const time = { after: Math.floor(8 * next()) };
        const { arrived, release } = play.hold(pick(CALLS, next), pick(WHEN, next), time);
        return { arrived: Promise.race([arrived, lanes]), release };
      },
      moment: () => sleep(500 + next() * 2000),
    }),
  ]);
  for (const journey of journeys) expectOnce(journey);
  await expectNothingLeft();
  const states = await fleet.site.query(`SELECT DISTINCT state FROM submissions`);
  expect(states).toEqual([{ state: 'prepared' }]);
  const repeatedSteps = await countRepeated(fleet.site);
  expect(repeatedSteps).toBeGreaterThan(0);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  process.stdout.write(
    `Releases on Google Play: ${JSON.stringify({ seed, kills, repeatedSteps, seconds })}\n`,
  );
}, 1_200_000);

it.each(oneOf(WHEN))(
  'sets a share once when all servers are killed in its calls, %s Google Play did its work',
  async (when) => {
    const journeys = await Promise.all(
      CALLS.map((call) => planJourney(`${when}.${call.toLowerCase()}`, false)),
    );
    const ids = await Promise.all(
      journeys.map(async (journey) => {
        const id = await deploy(journey, journey.production, { rolloutPercentage: 0.1 });
        await reach(journey, id, 'rolling_out', 0.1);
        return id;
      }),
    );
    const holds = CALLS.map((call, at) => play.hold(call, when, { packageName: journeys[at]!.packageName }));
    await Promise.all(
      journeys.map(({ app }, at) =>
        app.api.patch(`${app.path}/deployments/${ids[at]}`, { rolloutPercentage: 0.3 }),
      ),
    );
    await fleet.replaceIn(holds);
    for (const [at, journey] of journeys.entries()) {
      await reach(journey, ids[at]!, 'rolling_out', 0.3);
      expect(play.historyOf(journey.packageName, 'production')).toEqual([
        '1 completed',
        '42 inProgress 0.1, 1 completed',
        '42 inProgress 0.3, 1 completed',
      ]);
    }
    await expectNothingLeft();
  },
);
