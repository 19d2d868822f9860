import { setImmediate } from 'node:timers/promises';

/** How long work holds the event loop, in milliseconds, before it lets others run. */
const SLICE = 8;

/** Divides long work into slices, between which the process does everything else that waits. */
export class TimeSlices {
  private began: number;

  /**
   * @param signal ends the work
   * @param now the clock, in milliseconds
   */
  constructor(
    private readonly signal?: AbortSignal,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.began = now();
  }

  /**
   * Ends the slice if its time is over. Call it between pieces of work of a few milliseconds at most.
   *
   * @throws the reason of the signal
   */
  async pause(): Promise<void> {
    this.signal?.throwIfAborted();
    if (this.now() - this.began < SLICE) return;
    await setImmediate();
    this.began = this.now();
    this.signal?.throwIfAborted();
  }
}
