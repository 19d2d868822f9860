import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import type { Limits } from '../../common/background/limits.js';
import { ServerBusyError } from '../../common/errors/app-error.js';
import { AppCounts } from './app-counts.js';
import type { AppCount, AppCountsQueries } from './app-counts.queries.js';

/** Counts by hand: each count of the database ends when the test says so. */
class Counting {
  readonly started: PromiseWithResolvers<AppCount>[] = [];
  isBusy = false;
  readonly counts: AppCounts;

  constructor() {
    const count = (): Promise<AppCount> => {
      const counting = Promise.withResolvers<AppCount>();
      this.started.push(counting);
      return counting.promise;
    };
    const run = (_name: string, _tenant: string, work: () => Promise<AppCount>): Promise<AppCount> =>
      this.isBusy ? Promise.reject(new ServerBusyError()) : work();
    this.counts = new AppCounts({ count } as unknown as AppCountsQueries, { run } as unknown as Limits);
  }

  of = (appId = 'app'): number | null => this.counts.of(appId, 'organization')?.monthly ?? null;

  /** Ends the last count. */
  async end(result: number | Error, took = 0): Promise<void> {
    advance(took);
    const last = this.started.at(-1);
    if (result instanceof Error) last?.reject(result);
    else last?.resolve({ monthly: result, channels: new Map() } as unknown as AppCount);
    await turn();
  }
}

let now = 0;
const advance = (milliseconds: number): void => {
  now += milliseconds;
};

let counting: Counting;
beforeEach(() => {
  now = 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  counting = new Counting();
});

it('gives the last count, and counts again after ten seconds when someone asks', async () => {
  expect(counting.of()).toBeNull();
  expect(counting.of()).toBeNull();
  expect(counting.started).toHaveLength(1);
  await counting.end(5);
  advance(9999);
  expect(counting.of()).toBe(5);
  expect(counting.started).toHaveLength(1);
  advance(1);
  expect(counting.of()).toBe(5);
  expect(counting.of()).toBe(5);
  expect(counting.started).toHaveLength(2);
  await counting.end(6);
  expect(counting.of()).toBe(6);
  advance(60_000);
  await turn();
  expect(counting.started).toHaveLength(2);
});

it('counts each app on its own', async () => {
  counting.of('a');
  await counting.end(1);
  expect(counting.of('b')).toBeNull();
  expect(counting.started).toHaveLength(2);
  expect(counting.of('a')).toBe(1);
});

it('counts two seconds after the last count when something has changed since', async () => {
  counting.of();
  await counting.end(5);
  counting.counts.outdate('app');
  counting.counts.outdate('unknown');
  advance(1999);
  counting.of();
  expect(counting.started).toHaveLength(1);
  advance(1);
  counting.of();
  expect(counting.started).toHaveLength(2);
  // Or has changed while it was counted.
  counting.counts.outdate('app');
  await counting.end(6);
  advance(2000);
  counting.of();
  expect(counting.started).toHaveLength(3);
});

it('rests four times as long as a count took', async () => {
  counting.of();
  await counting.end(5, 8000);
  advance(31_999);
  counting.of();
  expect(counting.started).toHaveLength(1);
  advance(1);
  counting.of();
  expect(counting.started).toHaveLength(2);
});

it('keeps the last count when another one fails, or has no turn', async () => {
  counting.of();
  await counting.end(5);
  advance(10_000);
  counting.of();
  const canceled = Object.assign(new Error('canceling statement'), { code: '57014' });
  await counting.end(new QueryFailedError('SELECT', [], canceled));
  expect(counting.of()).toBe(5);
  advance(10_000);
  counting.isBusy = true;
  counting.of();
  await turn();
  counting.isBusy = false;
  advance(10_000);
  expect(counting.of()).toBe(5);
  expect(counting.started).toHaveLength(3);
});

it('ends with the count that is running, and begins no other', async () => {
  counting.of();
  let hasStopped = false;
  const stopped = counting.counts.stop().then(() => (hasStopped = true));
  await turn();
  expect(hasStopped).toBe(false);
  await counting.end(5);
  await stopped;
  advance(10_000);
  expect(counting.of()).toBe(5);
  expect(counting.started).toHaveLength(1);
});
