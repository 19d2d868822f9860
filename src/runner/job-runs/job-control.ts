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
  /** Ends everything about the job: it is not this runner's any more. */
  readonly job = this.jobController.signal;
  /** Ends the build: also when it takes too long, which the API then learns. */
  readonly build = this.buildController.signal;

  /** @param killed aborted when the runner ends at once */
  constructor(killed: AbortSignal) {
    const kill = (): void => this.stop(new JobStop('killed', 'The runner was stopped.'));
    if (killed.aborted) kill();
    else killed.addEventListener('abort', kill, { signal: this.job });
  }

  /** The job is over for this runner. */
  stop(reason: JobStop): void {
    this.buildController.abort(reason);
    this.jobController.abort(reason);
  }

  /** The build is over, and the job ends as timed out. */
  timeOut(message: string): void {
    this.buildController.abort(new JobStop('timed_out', message));
  }
}
