import { jest } from '@jest/globals';
import { compareClocks, databaseNow } from './database-clock.js';

const SECOND = 1000;

beforeEach(() => {
  jest.useFakeTimers({ now: 1000 * SECOND });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Milliseconds that the database is taken to be ahead, after a measurement. */
async function aheadAfter(real: number, there: number, back: number): Promise<number> {
  await compareClocks(() => {
    jest.setSystemTime(Date.now() + there);
    const now = new Date(Date.now() + real);
    jest.setSystemTime(Date.now() + back);
    return Promise.resolve([{ now }]);
  });
  return databaseNow().getTime() - Date.now();
}

it('takes clocks that agree for equal, however slow the database is', async () => {
  expect(await aheadAfter(0, 0, 0)).toBe(0);
  expect(await aheadAfter(0, 9 * SECOND, 0)).toBe(0);
  expect(await aheadAfter(0, 0, 9 * SECOND)).toBe(0);
  expect(databaseNow(SECOND).getTime()).toBe(Date.now() + SECOND);
});

it.each([60 * SECOND, -60 * SECOND])('follows a clock that is %d milliseconds ahead', async (real) => {
  // Off by no more than the response took.
  expect(Math.abs((await aheadAfter(real, 20, 30)) - real)).toBeLessThanOrEqual(50);
  expect(Math.abs((await aheadAfter(real, 1, 1)) - real)).toBeLessThanOrEqual(2);
  expect(Math.abs((await aheadAfter(real, SECOND, 9 * SECOND)) - real)).toBeLessThanOrEqual(2);
  expect(await aheadAfter(0, 0, 0)).toBe(0);
});
