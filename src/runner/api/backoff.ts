import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds before the second try. */
const FIRST = 500;
/** Milliseconds between tries, at most: the API has many runners that wait for it. */
const LONGEST = 15_000;

/** Pauses that grow and are never the same for two runners. */
export class Backoff {
  private pause = FIRST;

  /**
   * Waits before the next try.
   *
   * @param least milliseconds, as the server asks for
   * @throws the reason of the signal
   */
  async wait(signal: AbortSignal | undefined, least = 0): Promise<void> {
    const jittered = this.pause * (0.5 + Math.random() / 2);
    this.pause = Math.min(2 * this.pause, LONGEST);
    await sleepUntil(Math.max(jittered, least), signal);
  }
}

/** @throws the reason of the signal, not an error of the timer */
export async function sleepUntil(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}
