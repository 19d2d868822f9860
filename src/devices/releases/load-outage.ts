import { Logger } from '@nestjs/common';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';

/** Milliseconds until the first attempt, because many outages are one broken connection, and between the others. */
const FIRST_ATTEMPT_AFTER = 100;
const ATTEMPTED_EVERY = 1000;

/** A time in which release tables could not be loaded. */
export interface Outage {
  readonly from: Date;
  /** `null`: it lasts. */
  readonly to: Date | null;
}

interface Running {
  readonly error: DatabaseUnavailableError;
  readonly from: Date;
  readonly hits: number;
}

/** Remembers that release tables cannot be loaded now, and finds out when they can: one attempt a second. */
export class LoadOutage {
  private readonly logger = new Logger('ReleaseCache');
  private running: Running | null = null;
  private ended: Outage | null = null;
  private endedHits = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param attempt loads a table
   * @param hits checks that were answered from memory since the start
   * @param changed called when it begins or ends
   * @param staleMaxSeconds for the log: how long tables are served
   */
  constructor(
    private readonly attempt: () => Promise<unknown>,
    private readonly hits: () => number,
    private readonly changed: () => void,
    private readonly staleMaxSeconds: number,
  ) {}

  /** Why tables cannot be loaded; `null`: nothing is known against it. */
  get error(): DatabaseUnavailableError | null {
    return this.running?.error ?? null;
  }

  /** The current one, else the last; `null`: none since the start. */
  get latest(): Outage | null {
    return this.running === null ? this.ended : { from: this.running.from, to: null };
  }

  /** Checks that were answered from memory during outages. */
  get staleHits(): number {
    return this.endedHits + (this.running === null ? 0 : this.hits() - this.running.hits);
  }

  begin(error: DatabaseUnavailableError): void {
    if (this.running !== null) return;
    this.running = { error, from: new Date(), hits: this.hits() };
    this.logger.warn(
      { reason: error.reason, staleMaxSeconds: this.staleMaxSeconds, event: 'releases_stale' },
      'Release tables cannot be loaded: update checks are answered from those in memory, if any',
    );
    this.changed();
    this.schedule(FIRST_ATTEMPT_AFTER);
  }

  end(): void {
    if (this.running === null) return;
    const { from, hits } = this.running;
    const checks = this.hits() - hits;
    this.ended = { from, to: new Date() };
    this.endedHits += checks;
    this.running = null;
    clearTimeout(this.timer);
    const seconds = Math.round((Date.now() - from.getTime()) / 1000);
    this.logger.warn({ seconds, checks, event: 'releases_current' }, 'Release tables can be loaded again');
    this.changed();
  }

  /** Ends the attempts, for a shutdown. */
  stop(): void {
    clearTimeout(this.timer);
  }

  private schedule(after: number): void {
    this.timer = setTimeout(() => void this.try(), after).unref();
  }

  private async try(): Promise<void> {
    const { running } = this;
    const error = await this.attempt().catch((error: unknown) => error);
    if (this.running !== running) return;
    // Any other failure comes from a database that responds.
    if (error instanceof DatabaseUnavailableError) this.schedule(ATTEMPTED_EVERY);
    else this.end();
  }
}
