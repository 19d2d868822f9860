/** Why a job is no longer this runner's: a person canceled it, or another runner has it. */
export type GoneReason = 'canceled' | 'lost';

/** The job is no longer this runner's: it must stop immediately, and report nothing. */
export class JobGoneError extends Error {
  constructor(readonly reason: GoneReason) {
    super(reason === 'canceled' ? 'The job was canceled.' : 'The job belongs to another runner now.');
  }
}

/** The API refused a request: repeating it would change nothing. Its message is that of the API. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    /** Of the error catalogue; `''`: the response did not come from Slipway. */
    readonly code: string,
    message: string,
    readonly headers: Headers,
  ) {
    super(message);
  }
}

/** The API did not answer, or only with 5xx and 429, for longer than the request may wait. */
export class ApiAwayError extends Error {}

/** A response that is not what the protocol says. */
export class NotUnderstoodError extends Error {}
