/** Why a job stops before its build has ended. */
export type StopKind = 'canceled' | 'lost' | 'killed' | 'timed_out';

/** The reason of the signals of a job. */
export class JobStop extends Error {
  constructor(
    readonly kind: StopKind,
    message: string,
  ) {
    super(message);
  }
}

/** What ends a job, or only its build. */
export class JobControl {
  private readonly jobController = new AbortController();
  private readonly buildController = new AbortController();
  /** Ends everything about the job: it is no longer this runner's. */
  readonly job = this.jobController.signal;
  /** Ends the build: also when it takes too long, which the API then learns. */
  readonly build = this.buildController.signal;

  /** @param killed aborted when the runner ends immediately */
  constructor(killed: AbortSignal) {
    const kill = (): void => this.stop(new JobStop('killed', 'The runner was stopped.'));
    if (killed.aborted) kill();
    else killed.addEventListener('abort', kill, { signal: this.job });
  }

  /** The job has ended for this runner. */
  stop(reason: JobStop): void {
    this.buildController.abort(reason);
    this.jobController.abort(reason);
  }

  /** The build ends, and so does the job, as timed out. */
  timeOut(message: string): void {
    this.buildController.abort(new JobStop('timed_out', message));
  }
}
