import type { AppError } from '../../common/errors/app-error.js';
import type { FeedPosition } from './cursor.js';
import type { FeedCaller } from './feed-access.service.js';
import type { FeedFilter } from './feed-filter.js';
import type { FeedEvent } from './feed.queries.js';

/** A part of the events of an organization. */
export interface FeedPage extends FeedPosition {
  readonly events: readonly FeedEvent[];
  /** Whether there may be events behind it by now. */
  readonly hasMore: boolean;
}

/**
 * How a wait ends: with events, with an error of the access or the epoch, because something has happened before it began (`again`),
 * or without events: the timeout has expired, the client has disconnected, or the process stops (`over`).
 */
export type WaitResult = FeedPage | AppError | 'again' | 'over';

/** A request that reads events and waits for them, without a connection of the database. */
export class FeedReader {
  /** Up to which position it has seen the events. */
  position = 0;
  /** The epoch that counts the position. */
  epoch: string | null = null;
  private settleWait: ((result: WaitResult) => void) | null = null;
  private missed = false;

  constructor(
    readonly feedCaller: FeedCaller,
    readonly filter: FeedFilter,
    /** Most events of its response. */
    readonly limit: number,
  ) {}

  get isWaiting(): boolean {
    return this.settleWait !== null;
  }

  /** From now on, a signal counts. Call it before each read of the database. */
  beginReading(): void {
    this.missed = false;
  }

  /** There are new events in its organization. One that reads just now reads again. */
  signal(): void {
    if (!this.isWaiting) this.missed = true;
  }

  /**
   * Waits for the pump.
   *
   * @param start up to which it has seen the events
   * @param milliseconds how long at most
   * @param gone aborted when the client leaves
   */
  wait(start: FeedPosition, milliseconds: number, gone: AbortSignal): Promise<WaitResult> {
    this.position = start.position;
    this.epoch = start.epoch;
    if (this.missed) return Promise.resolve('again');
    return new Promise((resolve) => {
      const end = (): void => this.settle('over');
      const timer = setTimeout(end, milliseconds);
      this.settleWait = (result) => {
        this.settleWait = null;
        clearTimeout(timer);
        gone.removeEventListener('abort', end);
        resolve(result);
      };
      gone.addEventListener('abort', end);
      if (gone.aborted) end();
    });
  }

  /** Ends the wait, if it waits. */
  settle(result: WaitResult): void {
    this.settleWait?.(result);
  }
}
