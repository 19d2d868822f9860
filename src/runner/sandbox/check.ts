/** What `slipway runner doctor` found out about one thing. */
export interface Check {
  /** A few words: `bubblewrap`. */
  readonly name: string;
  /** `warning`: builds run, but something is worse than it could be. */
  readonly status: 'ok' | 'warning' | 'failed';
  /** One or two sentences; if it is not `ok`, what to do. */
  readonly message: string;
}
