import { setImmediate as turn } from 'node:timers/promises';
import { forEachParallel } from './parallel.js';

describe('forEachParallel', () => {
  it('works on each item once, on as many at once as are allowed', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    const items = Array.from({ length: 20 }, (_, i) => i);
    await forEachParallel(items, 3, async (item) => {
      most = Math.max(most, ++running);
      await turn();
      running--;
      done.push(item);
    });
    expect(done.toSorted((a, b) => a - b)).toEqual(items);
    expect(most).toBe(3);
  });

  it('does nothing without items', async () => {
    await expect(forEachParallel([], 3, () => Promise.reject(new Error('called')))).resolves.toBeUndefined();
  });

  it('begins nothing new after a failure, and fails when the rest has ended', async () => {
    const ended: number[] = [];
    const work = forEachParallel([0, 1, 2, 3, 4], 2, async (item) => {
      await turn();
      if (item === 0) throw new Error('failed');
      ended.push(item);
    });
    await expect(work).rejects.toThrow('failed');
    expect(ended).toEqual([1]);
  });
});
