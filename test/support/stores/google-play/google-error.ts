import type { Reply } from '../stand-in/reply.ts';

/** How an error of Google's APIs looks beyond its code and message. */
export interface ErrorDetails {
  /** In `errors[0].reason`: mostly just the name of the HTTP status. */
  readonly reason?: string;
  /** As `details`, each with its `@type`. */
  readonly details?: readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'authError',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  429: 'rateLimitExceeded',
  503: 'backendError',
};

/**
 * A request that Google refuses.
 *
 * The body: https://cloud.google.com/apis/design/errors#http_mapping, with the older `errors` beside it, as logs of
 * this API show: https://github.com/Triple-T/gradle-play-publisher/issues/998
 */
export class GoogleError extends Error {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;

  /**
   * @param status such as `INVALID_ARGUMENT`
   * @param message `null` as in https://github.com/Triple-T/gradle-play-publisher/issues/758
   */
  constructor(code: number, status: string, message: string | null, more: ErrorDetails = {}) {
    super(message ?? status);
    const { reason = REASONS[code] ?? 'backendError', details, headers = {} } = more;
    this.code = code;
    this.headers = headers;
    this.body = {
      error: {
        code,
        message,
        errors: [{ message, domain: 'global', reason }],
        status,
        ...(details === undefined ? {} : { details }),
      },
    };
  }
}

/** 400: the request itself is wrong. */
export function invalid(message: string): GoogleError {
  return new GoogleError(400, 'INVALID_ARGUMENT', message);
}

/** 403: the request is well-formed, and not permitted. */
export function forbidden(message: string): GoogleError {
  return new GoogleError(403, 'PERMISSION_DENIED', message);
}

/** 404: what the path names does not exist. */
export function notFound(message: string): GoogleError {
  return new GoogleError(404, 'NOT_FOUND', message);
}

/** The answer of a refusal. */
export function replyOf({ code, body, headers }: GoogleError): Reply {
  return { status: code, body, headers };
}
