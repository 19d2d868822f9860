/** The exit codes of `slipway runner`. */
export const exitCodes = {
  /** It was drained, or has done its one job. */
  ok: 0,
  failed: 1,
  /** An option or a setting is missing or wrong. */
  settings: 2,
  /** The API does not accept the token. */
  token: 3,
  /** Another process uses the token. */
  tokenInUse: 4,
  /** There is no sandbox, or none that is safe enough. */
  noSandbox: 5,
  /** Runner and server do not understand each other. */
  version: 6,
} as const;

/** Ends the runner. Its message is for the operator. */
export class RunnerEnd extends Error {
  constructor(
    readonly exitCode: (typeof exitCodes)[keyof typeof exitCodes],
    message: string,
  ) {
    super(message);
  }
}
