import { durationOf } from './duration.js';
import type { JobControl } from './job-control.js';

/** The time that a build may take. */
export interface TimeLimits {
  /** In all, in seconds. */
  readonly timeoutSeconds: number;
  /** Without output, in seconds. */
  readonly idleSeconds: number;
}

/** When a build got on last. */
export class Activity {
  private last = Date.now();

  touch(): void {
    this.last = Date.now();
  }

  /** Whole seconds since then. */
  get idleSeconds(): number {
    return Math.max(0, Math.floor((Date.now() - this.last) / 1000));
  }
}

/** Ends a build that takes too long. */
export class TimeLimit {
  private readonly total: NodeJS.Timeout;
  private readonly idle: NodeJS.Timeout;

  constructor({ timeoutSeconds, idleSeconds }: TimeLimits, control: JobControl) {
    this.total = setTimeout(
      () =>
        control.timeOut(`The job took longer than its time limit of ${durationOf(timeoutSeconds * 1000)}.`),
      timeoutSeconds * 1000,
    );
    this.idle = setTimeout(
      () => control.timeOut(`The build printed nothing for ${durationOf(idleSeconds * 1000)}.`),
      idleSeconds * 1000,
    );
    // A build that does not stop does not end it.
    control.build.addEventListener('abort', () => this.end(), { once: true });
  }

  /** The build has printed something, or has got on. */
  touch(): void {
    this.idle.refresh();
  }

  end(): void {
    clearTimeout(this.total);
    clearTimeout(this.idle);
  }
}
