import { jest } from '@jest/globals';

/*
 * How much the suites do that repeat something or choose at random: a part in `npm run test:rest` and `npm run test:console`,
 * all of it in `npm run test:deep` (docs/testing.md). This is the only place with such counts.
 */

/** Whether this is `npm run test:deep`. */
export const isDeep = process.env['TEST_SET'] === 'deep';

/** Whether this is `npm test`, which takes a sample of the requests to each route. */
export const isSample = process.env['TEST_SET'] === 'quick';

/** What random choices begin with. `scripts/test.ts` prints it, and `--seed=…` repeats it. */
export const seed = Math.abs(jest.getSeed());

const count = (rest: number, deep: number): number => (isDeep ? deep : rest);

export const depth = {
  /** Routes of each area, and resources, in the suites of all of them. */
  routes: <T>(all: readonly T[]): readonly T[] =>
    isSample ? all.filter((_route, index) => index % 5 === seed % 5) : all,
  /** Requests to each route. */
  callersPerRoute: isSample ? 3 : Infinity,
  swapsPerRoute: isSample ? 1 : Infinity,
  attacksPerRoute: isSample ? 3 : 30,

  /** Submissions to a store, and how often the servers are killed that send them. */
  killedSubmissions: count(6, 50),
  kills: count(2, 25),
  /** Pushes of which each is followed by a kill of the server and a jump of the clock, or two. */
  killedPushes: count(5, 40),
  /** How often the database or a store is away, and how many submissions run meanwhile. */
  outages: count(2, 3),
  submissionsInOutages: count(6, 8),

  /** Builds of one runner, and how often it, the API or the database ends meanwhile: each of them once at least. */
  buildsOfRunner: count(20, 50),
  accidents: count(3, 25),
  /** Builds of many runners, those of two organizations, and which processes are killed meanwhile. */
  buildsOfFleet: count(20, 200),
  fleets: isDeep ? ([12, 8] as const) : ([3, 2] as const),
  killedRunners: count(1, 7),
  killedServers: count(1, 3),
  /** Seconds of a lease while the database is away for three of them. */
  leaseInOutage: count(5, 60),
  /** The steps of signing before which a build is killed: every n-th. A profile takes three at each of two places. */
  killedSigningSteps: count(2, 1),

  /** Versions of the live update plugin that take part in every story: the newest and the oldest of those under test, or all. */
  pluginVersions: (all: readonly string[]): readonly string[] =>
    isDeep ? all : all.filter((_version, index) => index === 0 || index === all.length - 1),

  /** Random runs of the simulations, of forty commands at most. */
  simulatedJobs: count(3, 200),
  simulatedSubmissions: count(1, 200),
  /** Random receivers of webhooks, each with up to forty events. */
  simulatedReceivers: count(20, 200),

  /** Devices that install one release after the other. */
  chainedDevices: count(40, 10_000),

  /** For how many seconds a browser is without network while a build writes its log, besides until it says so. */
  secondsWithoutNetwork: count(0, 60),
} as const;

/**
 * The rows of a table of which each takes seconds of a processor: a third of them, another one with each seed, and all in
 * `npm run test:deep`.
 *
 * @param turn where a table is used several times: which time this is, so that each takes other rows
 */
export function someOf<T>(rows: readonly T[], turn = 0): readonly T[] {
  return isDeep ? rows : rows.filter((_row, index) => index % 3 === (seed + turn) % 3 || rows.length < 3);
}

/**
 * One of the ways in which a test is done that takes minutes, another one with each seed; all in `npm run test:deep`.
 *
 * @param turn where many rows are each done in one way: which row this is, so that all ways are taken
 */
export function oneOf<T>(ways: readonly T[], turn = 0): readonly T[] {
  return isDeep ? ways : ways.filter((_way, index) => index === (seed + turn) % ways.length);
}
