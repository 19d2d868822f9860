import { TimeSlices } from './time-slices.js';

/** Work of pieces that take so many milliseconds each. @returns how many were done whenever something else could run */
async function work(pieces: number, milliseconds: number, signal?: AbortSignal): Promise<number[]> {
  let now = 0;
  let done = 0;
  const seen: number[] = [];
  const slices = new TimeSlices(signal, () => now);
  const watch = setInterval(() => undefined, 1);
  let isOver = false;
  const look = (): void => {
    if (seen.at(-1) !== done) seen.push(done);
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    for (; done < pieces; done++) {
      now += milliseconds;
      await slices.pause();
    }
  } finally {
    isOver = true;
    clearInterval(watch);
  }
  return seen;
}

it('lets others run after each slice, not after each piece', async () => {
  const seen = await work(100, 3);
  expect(seen.length).toBeGreaterThan(20);
  expect(seen.length).toBeLessThan(40);
});

it('lets nothing run in between when all of it is short', async () => {
  expect((await work(10, 0.1)).length).toBeLessThanOrEqual(1);
});

it('ends when it is aborted', async () => {
  const gone = new AbortController();
  setImmediate(() => gone.abort(new Error('The client has left.')));
  await expect(work(1_000_000, 3, gone.signal)).rejects.toThrow('The client has left.');
});
