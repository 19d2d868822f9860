import { jest } from '@jest/globals';
import type { Health } from '../rollout-plans/rollout-plan.entity.js';
import type { DeploymentHealthQueries, ObservedDeployment } from './deployment-health.queries.js';
import { RecentHealth } from './recent-health.js';

let counts: string[][];
let took: number;
let recent: RecentHealth;

beforeEach(() => {
  jest.useFakeTimers();
  counts = [];
  const countMany = (observed: readonly ObservedDeployment[]): Promise<Map<string, Health>> => {
    const ids = observed.map(({ deploymentId }) => deploymentId);
    if (ids.length > 0) {
      counts.push(ids);
      jest.advanceTimersByTime(took);
    }
    const health = { offered: counts.length, applied: 0, rolledBack: 0, notApplied: 0 };
    return Promise.resolve(new Map(ids.map((id) => [id, health])));
  };
  recent = new RecentHealth({ countMany } as unknown as DeploymentHealthQueries);
});
afterEach(() => jest.useRealTimers());

const read = async (...ids: string[]): Promise<(number | undefined)[]> => {
  const found = await recent.countMany(
    ids.map((deploymentId) => ({ appId: 'app', deploymentId, observedSince: null })),
  );
  return ids.map((id) => found.get(id)?.offered);
};

it('counts each time what is counted quickly', async () => {
  took = 99;
  expect([await read('a'), await read('a')]).toEqual([[1], [2]]);
});

it('keeps what took long ten times as long, and counts only what it does not keep', async () => {
  took = 500;
  expect(await read('a')).toEqual([1]);
  jest.advanceTimersByTime(4000);
  expect(await read('a', 'b')).toEqual([1, 2]);
  jest.advanceTimersByTime(1000);
  expect(await read('a', 'b')).toEqual([3, 2]);
  expect(counts).toEqual([['a'], ['b'], ['a']]);
});

it('keeps nothing longer than ten seconds', async () => {
  took = 60_000;
  expect(await read('a')).toEqual([1]);
  jest.advanceTimersByTime(9999);
  expect(await read('a')).toEqual([1]);
  jest.advanceTimersByTime(1);
  expect(await read('a')).toEqual([2]);
});
