/** The statuses of errors. */
export type ErrorStatus =
  400 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 499 | 500 | 502 | 503 | 507;

/** One error of the API, as `docs/errors.md` and the OpenAPI document describe it. */
export interface CataloguedError {
  /** The HTTP status. */
  readonly status: ErrorStatus;
  /** One sentence for people: the message (`errorOf`), or an example of it where messages have values. */
  readonly message: string;
  /** What happened, in sentences with Markdown. */
  readonly meaning: string;
  /** What the caller can do, in sentences with Markdown. */
  readonly action: string;
}
