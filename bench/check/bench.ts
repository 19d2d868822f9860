import { type Progress, printedProgress } from '../../scripts/seed/progress.ts';
import { seed } from '../../scripts/seed/seed.ts';
import { DEFAULT_SIZES, type Sizes } from '../../scripts/seed/sizes.ts';
import { query } from '../../test/setup/databases.ts';
import type { Instance } from '../instance.ts';
import type { Load, LoadGenerator, LoadResult } from '../load/load.ts';
import type { Results } from '../results.ts';

/** How much is measured. */
export interface Settings {
  readonly rounds: number;
  /** Of each round, which ends before when there were so many requests. */
  readonly seconds: number;
  readonly requests: number;
  readonly connections: number;
  /** Distinct devices that ask. */
  readonly devices: number;
  readonly bundles: readonly number[];
  readonly channels: readonly number[];
  readonly knownDevices: readonly number[];
  readonly forcedDevices: number;
  readonly apps: number;
  /** Changes whose way to the replicas is timed. */
  readonly changes: number;
  readonly steady: SteadySettings;
}

/** How much the scenario `steady` measures. */
export interface SteadySettings {
  /** None: only the responses are checked. */
  readonly rounds: number;
  readonly seconds: number;
  /** Checks per second. */
  readonly rate: number;
  /** Few, so that all of them are known after the first turn. */
  readonly devices: number;
  /** How many deployments do not match; the last one is the most that a decision examines. */
  readonly deployments: readonly [number, number, number];
}

export const FULL: Settings = {
  rounds: 5,
  seconds: 4,
  requests: Number.MAX_SAFE_INTEGER,
  connections: 128,
  devices: 100_000,
  bundles: [1, 50, 1000],
  channels: [1, 200],
  knownDevices: [1000, 1_000_000],
  forcedDevices: 10_000,
  apps: 10_000,
  changes: 100,
  steady: { rounds: 3, seconds: 3, rate: 2000, devices: 4000, deployments: [1, 50, 100] },
};

/** Enough to see that every answer is right. */
export const QUICK: Settings = {
  rounds: 1,
  seconds: 60,
  requests: 100,
  connections: 8,
  devices: 300,
  bundles: [1, 20],
  channels: [1, 10],
  knownDevices: [100, 1000],
  forcedDevices: 50,
  apps: 40,
  changes: 2,
  steady: { rounds: 0, seconds: 60, rate: 2000, devices: 20, deployments: [1, 2, 10] },
};

/** What every scenario works with. The servers stand alone on core 0; everything else is on core 1. */
export interface Bench {
  readonly instance: Instance;
  readonly generator: LoadGenerator;
  readonly results: Results;
  readonly settings: Settings;
}

/** Seeds an app, and lets the database do now what it would do with the new rows later. @returns its id */
export async function seedApp(bench: Bench, sizes: Partial<Sizes>): Promise<string> {
  const { appId } = await seed(
    bench.instance.databaseUrl,
    { ...DEFAULT_SIZES, channels: 0, bundles: 1, deployments: 1, devices: 0, historyDays: 0, ...sizes },
    bench.settings === FULL ? largeOnly(printedProgress(process.stdout)) : undefined,
  );
  await query(bench.instance.databaseUrl, 'VACUUM ANALYZE');
  await query(bench.instance.databaseUrl, 'CHECKPOINT');
  return appId;
}

const largeOnly =
  (progress: Progress): Progress =>
  (what, done, total) => {
    if (total >= 10_000) progress(what, done, total);
  };

/** The usual load on the first server: as many checks as it can answer. */
export function loadOf({ instance, settings }: Bench, appId: string, changes: Partial<Load> = {}): Load {
  const { connections, seconds, requests, devices } = settings;
  return { origins: [instance.origin], appId, apps: 1, devices, connections, seconds, requests, ...changes };
}

/**
 * Sends a load and looks at the answers.
 *
 * @param expected the one status that all answers must have
 * @throws Error for another status, or no answer at all
 */
export async function send(bench: Bench, load: Load, expected: '200' | '404'): Promise<LoadResult> {
  const result = await bench.generator.run(load);
  const statuses = Object.keys(result.statuses);
  if (statuses.length !== 1 || statuses[0] !== expected) {
    throw new Error(`Expected ${expected} of all checks, not ${JSON.stringify(result.statuses)}.`);
  }
  return result;
}
