/** One invalid field of a request. */
export interface FieldError {
  /** Path of the field, such as `name` or `parts.0.etag`. */
  readonly field: string;
  /** What is wrong with it, as a sentence that names the field. */
  readonly message: string;
}

/**
 * A refusal that the caller can understand. The message is one human sentence, the code a stable word for programs
 * (listed in docs/errors.md).
 */
export abstract class AppError extends Error {
  abstract readonly status: number;
  /** Response headers that belong to the error. */
  readonly headers: Readonly<Record<string, string>> = {};
  readonly errors?: readonly FieldError[];

  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** 400: the request itself is wrong. */
export class InvalidRequestError extends AppError {
  override readonly status = 400;

  constructor(
    message: string,
    code = 'invalid_request',
    override readonly errors?: readonly FieldError[],
  ) {
    super(message, code);
  }
}

/** 400: fields of the body or the query are missing or wrong; all of them are listed. */
export function invalidFields(errors: readonly FieldError[]): InvalidRequestError {
  return new InvalidRequestError(errors[0]?.message ?? 'The request is invalid.', 'invalid_fields', errors);
}

/** 400 about one field. */
export function invalidField(field: string, message: string): InvalidRequestError {
  return invalidFields([{ field, message }]);
}

/** 401: no token, or one that is not valid (RFC 6750). */
export class UnauthenticatedError extends AppError {
  override readonly status = 401;
  override readonly headers: Readonly<Record<string, string>>;

  constructor(message = 'Not authenticated.', tokenWasSent = false) {
    super(message, tokenWasSent ? 'invalid_token' : 'not_authenticated');
    const error = tokenWasSent ? ', error="invalid_token"' : '';
    this.headers = { 'WWW-Authenticate': `Bearer realm="slipway"${error}` };
  }
}

/** 403: the caller may see the object, but its role may not do this. */
export class ForbiddenError extends AppError {
  override readonly status = 403;

  constructor(message = 'Not authorized.', code = 'not_authorized') {
    super(message, code);
  }
}

/** 404: absent, or not visible to the caller. */
export class NotFoundError extends AppError {
  override readonly status = 404;

  /** @param what the object as a word, such as `Channel` */
  constructor(what: string) {
    super(`${what} not found.`, `${what.toLowerCase().replaceAll(' ', '_')}_not_found`);
  }
}

/** 405: the path exists, but not with this method. */
export class MethodNotAllowedError extends AppError {
  override readonly status = 405;
  override readonly headers: Readonly<Record<string, string>>;

  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not allowed here.`, 'method_not_allowed');
    this.headers = { Allow: allowed.join(', ') };
  }
}

/** 409: the request is right, but the state of the object forbids it, such as a name that is taken. */
export class ConflictError extends AppError {
  override readonly status = 409;

  constructor(message: string, code = 'conflict') {
    super(message, code);
  }
}

/** 409: a bundle under legal hold would be deleted with it. */
export class LegalHoldError extends ConflictError {
  constructor() {
    super('It cannot be deleted: a bundle is under legal hold. Release the hold first.', 'legal_hold');
  }
}

/** 410: it was there once, but can be used no more. */
export class GoneError extends AppError {
  override readonly status = 410;
}

/** 412: the object is not any more as the caller knows it (`If-Match`). */
export class PreconditionFailedError extends AppError {
  override readonly status = 412;

  constructor() {
    super('The object has changed since you read it. Read it again.', 'precondition_failed');
  }
}

/** 413: the body is larger than allowed. */
export class TooLargeError extends AppError {
  override readonly status = 413;

  constructor(message = 'The request body is too large.') {
    super(message, 'too_large');
  }
}

/** 415: the body has a content type that this route does not read. */
export class UnsupportedMediaTypeError extends AppError {
  override readonly status = 415;

  constructor(expected: string) {
    super(`Send the body as ${expected}.`, 'unsupported_media_type');
  }
}

/** 429: too many requests (RFC 6585). */
export class RateLimitedError extends AppError {
  override readonly status = 429;
  override readonly headers: Readonly<Record<string, string>>;

  /** @param retryAfter seconds, at least 1 */
  constructor(retryAfter: number) {
    super(
      `Too many requests. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
      'rate_limited',
    );
    this.headers = { 'Retry-After': String(retryAfter) };
  }
}

/** 500: the stored bytes are known to be damaged, so they are not sent. */
export class DamagedFileError extends AppError {
  override readonly status = 500;

  constructor() {
    super('The stored file is damaged. It has to be uploaded again.', 'file_damaged');
  }
}
