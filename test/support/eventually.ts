import { setTimeout as sleep } from 'node:timers/promises';

/** How long something may take to come true, in milliseconds: generous, since it ends as soon as it does. */
const PATIENCE = 60_000;
/** Milliseconds between two checks, of which the first follow each other faster: looking takes time from what is awaited. */
const LONGEST_PAUSE = 200;

/**
 * Repeats a check until it passes; after a long time its last failure is thrown.
 *
 * @param patience milliseconds, where what is awaited takes its time by design
 * @returns what the check returns
 */
export async function eventually<T>(check: () => Promise<T> | T, patience = PATIENCE): Promise<T> {
  const end = Date.now() + patience;
  for (let pause = 10; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(pause);
    }
  }
}
