import { setTimeout as sleep } from 'node:timers/promises';
import { WriteBehind } from './write-behind.js';

const DELAY = 10;
const LONG = 60_000;

/** Something that is written behind. While `isAway`, nothing can be written. */
function writing(options: {
  delay?: number;
  retryDelay?: number;
  batch?: number;
  during?: () => Promise<unknown>;
}) {
  const state = { isAway: false, waiting: 0, attempts: 0, written: [] as number[] };
  const writes = new WriteBehind(
    () => state.waiting,
    async () => {
      state.attempts++;
      const taken = state.waiting;
      if (state.isAway) return false;
      state.waiting = 0;
      await options.during?.();
      state.written.push(taken);
      return true;
    },
    options.delay ?? DELAY,
    options.retryDelay,
    options.batch,
  );
  const change = () => {
    state.waiting++;
    writes.schedule();
  };
  return { state, writes, change };
}

it('writes the changes of a moment at once, and later ones after them', async () => {
  const { state, change } = writing({ during: () => sleep(20) });
  change();
  change();
  await sleep(20);
  change();
  expect(state).toMatchObject({ attempts: 1, waiting: 1 });
  await sleep(80);
  expect(state).toMatchObject({ attempts: 2, waiting: 0, written: [2, 1] });
});

it('does not wait for the delay when a batch is full, unless writing fails', async () => {
  const { state, writes, change } = writing({ delay: LONG, batch: 3 });
  for (let n = 0; n < 3; n++) change();
  await writes.flush();
  expect(state.written).toEqual([3]);
  state.isAway = true;
  for (let n = 0; n < 9; n++) change();
  await sleep(0);
  expect([state.attempts, writes.isFailing]).toEqual([2, true]);
});

it('tries again what could not be written', async () => {
  const { state, writes, change } = writing({ delay: LONG, retryDelay: DELAY });
  state.isAway = true;
  change();
  await writes.flush();
  state.isAway = false;
  await sleep(50);
  expect([state.written, writes.isFailing]).toEqual([[1], false]);
});

it('writes what is left when it stops', async () => {
  const { state, writes, change } = writing({ delay: LONG });
  change();
  await writes.stop();
  expect(state.written).toEqual([1]);
});
