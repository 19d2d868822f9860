import fc from 'fast-check';
import { WindowCounters } from './window-counters.js';

const WINDOW = 60_000;
/** The start of some window. */
const START = 1_795_000_000_000 - (1_795_000_000_000 % WINDOW);

const admits = (counters: WindowCounters, key: string, quota: number, now = START): boolean =>
  counters.take(key, quota, now).admitted;

describe('one replica', () => {
  it('admits the quota, reports what is left, and starts again in the next window', () => {
    const counters = new WindowCounters(WINDOW, 10);
    expect(counters.take('a', 2, START)).toEqual({ admitted: true, remaining: 1, resetSeconds: 60 });
    expect(counters.take('a', 2, START + 30_500)).toEqual({ admitted: true, remaining: 0, resetSeconds: 30 });
    expect(counters.take('a', 2, START + 59_999)).toEqual({ admitted: false, remaining: 0, resetSeconds: 1 });
    expect(counters.take('a', 2, START + WINDOW)).toEqual({ admitted: true, remaining: 1, resetSeconds: 60 });
  });

  it('counts each key for itself', () => {
    const counters = new WindowCounters(WINDOW, 10);
    expect([admits(counters, 'a', 1), admits(counters, 'b', 1), admits(counters, 'a', 1)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('has nothing to send when nothing was admitted', () => {
    const counters = new WindowCounters(WINDOW, 10);
    expect(counters.unsentKeys).toBe(0);
    admits(counters, 'a', 1);
    counters.takeUnsent(10, START);
    admits(counters, 'a', 1);
    expect(counters.unsentKeys).toBe(0);
  });

  it('admits keys beyond the maximum without counting them, and counts those that it has', () => {
    const counters = new WindowCounters(WINDOW, 1);
    expect(admits(counters, 'a', 1)).toBe(true);
    expect(counters.isFull).toBe(true);
    expect([admits(counters, 'b', 1), admits(counters, 'b', 1)]).toEqual([true, true]);
    expect(admits(counters, 'a', 1)).toBe(false);
    expect([...counters.takeUnsent(10, START).counts]).toEqual([['a', 1]]);
    expect(admits(counters, 'b', 1, START + WINDOW)).toBe(true);
    expect(admits(counters, 'b', 1, START + WINDOW)).toBe(false);
  });

  it('sends so many keys at once, the longest waiting first', () => {
    const counters = new WindowCounters(WINDOW, 10);
    for (const key of ['a', 'b', 'a', 'c']) admits(counters, key, 9);
    expect([...counters.takeUnsent(2, START).counts]).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    admits(counters, 'a', 9);
    expect([...counters.takeUnsent(2, START).counts]).toEqual([
      ['c', 1],
      ['a', 1],
    ]);
    expect(counters.unsentKeys).toBe(0);
  });
});

describe('of several replicas, one', () => {
  it('counts what the others have admitted, as soon as it learns of it', () => {
    const counters = new WindowCounters(WINDOW, 10);
    admits(counters, 'a', 10);
    const sent = counters.takeUnsent(10, START);
    admits(counters, 'a', 10);
    counters.learn(sent, new Map([['a', 8]]));
    expect(counters.take('a', 10, START)).toMatchObject({ admitted: true, remaining: 0 });
    expect(admits(counters, 'a', 10)).toBe(false);
  });

  it('sends again what did not arrive', () => {
    const counters = new WindowCounters(WINDOW, 10);
    admits(counters, 'a', 10);
    const lost = counters.takeUnsent(10, START);
    admits(counters, 'a', 10);
    counters.putBack(lost);
    expect([...counters.takeUnsent(10, START).counts]).toEqual([['a', 2]]);
  });

  it('forgets what belongs to a window that is over', () => {
    const counters = new WindowCounters(WINDOW, 10);
    admits(counters, 'a', 10);
    const [late, lost] = [counters.takeUnsent(10, START), counters.takeUnsent(10, START)];
    admits(counters, 'a', 10, START + WINDOW);
    counters.learn(late, new Map([['a', 10]]));
    counters.putBack(lost);
    expect(counters.take('a', 10, START + WINDOW)).toMatchObject({ admitted: true, remaining: 8 });
    expect([...counters.takeUnsent(10, START + 2 * WINDOW).counts]).toEqual([]);
  });
});

/** What may happen to the counters of one replica, some milliseconds after what happened before. */
const step = fc.record({
  after: fc.integer({ min: 0, max: 20_000 }),
  what: fc.oneof(
    { weight: 6, arbitrary: fc.record({ take: fc.constantFrom('a', 'b', 'c') }) },
    { weight: 2, arbitrary: fc.constant('send' as const) },
    { weight: 1, arbitrary: fc.record({ arrive: fc.integer({ min: 0, max: 5 }) }) },
    { weight: 1, arbitrary: fc.constant('fail' as const) },
  ),
});

it('never admits more than the quota in one window, whatever happens on the way to the others', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 200 }), (quota, steps) => {
      const counters = new WindowCounters(WINDOW, 10);
      const admitted = new Map<string, number>();
      const shared = new Map<string, number>();
      const underway: ReturnType<WindowCounters['takeUnsent']>[] = [];
      let now = START;
      for (const { after, what } of steps) {
        now += after;
        if (what === 'send') underway.push(counters.takeUnsent(2, now));
        else if (what === 'fail') {
          const lost = underway.shift();
          if (lost) counters.putBack(lost);
        } else if ('arrive' in what) {
          const sent = underway.shift();
          if (!sent) continue;
          for (const [key, count] of sent.counts) {
            const row = `${sent.window} ${key}`;
            shared.set(row, (shared.get(row) ?? 0) + count + what.arrive);
          }
          const totals = [...sent.counts.keys()].map((key) => [
            key,
            shared.get(`${sent.window} ${key}`) ?? 0,
          ]);
          counters.learn(sent, new Map(totals as [string, number][]));
        } else if (counters.take(what.take, quota, now).admitted) {
          const row = `${now - (now % WINDOW)} ${what.take}`;
          admitted.set(row, (admitted.get(row) ?? 0) + 1);
        }
      }
      expect(Math.max(0, ...admitted.values())).toBeLessThanOrEqual(quota);
    }),
    { numRuns: 500 },
  );
});
