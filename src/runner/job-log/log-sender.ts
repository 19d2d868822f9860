import { ApiAwayError, RefusedError } from '../api/api-errors.js';
import { sleepUntil } from '../api/backoff.js';
import type { JobApi } from '../api/job-api.js';
import type { LogSpool } from './log-spool.js';

/** How often and in which parts a log is sent, as the session says. */
export interface LogPace {
  readonly maxLogChunkBytes: number;
  /** Seconds. */
  readonly logSeconds: number;
}

/** Sends a log in order, as it grows. */
export class LogSender {
  private sent = 0;
  private readonly closing = new AbortController();
  private readonly done: Promise<void>;

  /** @param signal ends it */
  constructor(
    private readonly spool: LogSpool,
    private readonly api: JobApi,
    private readonly pace: LogPace,
    private readonly signal: AbortSignal,
  ) {
    this.done = this.run();
    // The caller of `close` gets the error.
    this.done.catch(() => undefined);
  }

  /** Sends the rest. @throws the reason of the signal, or why the API does not take the log */
  async close(): Promise<void> {
    this.closing.abort();
    await this.done;
  }

  /** Sends again from where the API is. Only after `close`. @param offset as its header `Upload-Offset` says */
  async resendFrom(offset: string | null): Promise<void> {
    this.goTo(offset);
    await this.sendRest();
  }

  private async run(): Promise<void> {
    const woken = AbortSignal.any([this.signal, this.closing.signal]);
    while (!this.closing.signal.aborted) {
      this.signal.throwIfAborted();
      await this.sendRest().catch(goOnWhileAway);
      await sleepUntil(this.pace.logSeconds * 1000, woken).catch(() => undefined);
    }
    await this.sendRest();
  }

  private async sendRest(): Promise<void> {
    while (this.sent < this.spool.length) {
      try {
        this.sent = await this.api.sendLog(this.sent, this.spool.read(this.sent, this.pace.maxLogChunkBytes));
      } catch (error) {
        if (!(error instanceof RefusedError) || error.code !== 'log_out_of_step') throw error;
        this.goTo(error.headers.get('upload-offset'));
      }
    }
  }

  private goTo(offset: string | null): void {
    const there = Number(offset ?? NaN);
    if (!Number.isInteger(there) || there < 0 || there > this.spool.length) {
      throw new Error(`The API asks for the log from ${offset}, and the log has ${this.spool.length} bytes.`);
    }
    this.sent = there;
  }
}

/** While the build runs, the log can wait for longer than one request. */
function goOnWhileAway(error: unknown): void {
  if (!(error instanceof ApiAwayError)) throw error;
}
