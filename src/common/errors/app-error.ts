import { errorCatalogue, type ErrorCode, type ErrorCodeOf } from './catalogue/error-catalogue.js';
import { notFoundCodeOf, type NotFoundName } from './not-found-name.js';

/** One invalid field of a request. */
export interface FieldError {
  /** Path of the field, such as `name` or `parts.0.etag`. */
  readonly field: string;
  /** What is wrong with it, as a sentence that names the field. */
  readonly message: string;
}

/**
 * An error that the caller can understand. The message is one sentence for people, the code a stable word for programs.
 * The code determines the status: see the catalogue.
 */
export abstract class AppError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** Response headers that belong to the error. */
  readonly headers: Readonly<Record<string, string>> = {};
  readonly errors?: readonly FieldError[];

  constructor(
    message: string,
    readonly code: ErrorCode,
  ) {
    super(message);
    this.name = new.target.name;
    this.status = errorCatalogue[code].status;
  }
}

/** 400: the request is invalid, whatever the state of the objects. */
export class InvalidRequestError extends AppError {
  constructor(
    message: string,
    code: ErrorCodeOf<400> = 'invalid_request',
    override readonly errors?: readonly FieldError[],
  ) {
    super(message, code);
  }
}

/** 400: fields of the body or the query are missing or invalid. Lists all of them. */
export function invalidFields(errors: readonly FieldError[]): InvalidRequestError {
  return new InvalidRequestError(errors[0]?.message ?? 'The request is invalid.', 'invalid_fields', errors);
}

/** 400 about one field. */
export function invalidField(field: string, message: string): InvalidRequestError {
  return invalidFields([{ field, message }]);
}

/** 401: no token, or an invalid one (RFC 6750). */
export class UnauthenticatedError extends AppError {
  override readonly headers: Readonly<Record<string, string>>;

  constructor(message = 'Not authenticated.', tokenWasSent = false) {
    super(message, tokenWasSent ? 'invalid_token' : 'not_authenticated');
    const error = tokenWasSent ? ', error="invalid_token"' : '';
    this.headers = { 'WWW-Authenticate': `Bearer realm="slipway"${error}` };
  }
}

/** 403: the caller can see the object, but is not allowed to do this. */
export class ForbiddenError extends AppError {
  constructor(message = 'Not authorized.', code: ErrorCodeOf<403> = 'not_authorized') {
    super(message, code);
  }
}

/** 404: the object does not exist, or the caller cannot see it. */
export class NotFoundError extends AppError {
  /** @param what the object in words, such as `Channel` */
  constructor(what: NotFoundName) {
    super(`${what} not found.`, notFoundCodeOf(what));
  }
}

/** 405: the path exists, but not with this method. */
export class MethodNotAllowedError extends AppError {
  override readonly headers: Readonly<Record<string, string>>;

  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not allowed here.`, 'method_not_allowed');
    this.headers = { Allow: allowed.join(', ') };
  }
}

/** 409: the state of an object does not allow the request, for example because a name is taken. */
export class ConflictError extends AppError {
  constructor(message: string, code: ErrorCodeOf<409> = 'conflict') {
    super(message, code);
  }
}

/** 410: the object existed, but is no longer usable. */
export class GoneError extends AppError {
  // oxlint-disable-next-line no-useless-constructor -- it narrows the codes
  constructor(message: string, code: ErrorCodeOf<410>) {
    super(message, code);
  }
}

/** 412: the object has changed since the caller read it (`If-Match`). */
export class PreconditionFailedError extends AppError {
  constructor() {
    super(errorCatalogue.precondition_failed.message, 'precondition_failed');
  }
}

/** 413: the body is larger than allowed. */
export class TooLargeError extends AppError {
  constructor(message = 'The request body is too large.') {
    super(message, 'too_large');
  }
}

/** 415: the route does not read the content type of the body. */
export class UnsupportedMediaTypeError extends AppError {
  constructor(expected: string) {
    super(`Send the body as ${expected}.`, 'unsupported_media_type');
  }
}

/** For a failure that may end soon: seconds after which the request may be repeated. */
const RETRY_SOON: Readonly<Record<string, string>> = { 'Retry-After': '5' };

/** 429: too many requests (RFC 6585). */
export class RateLimitedError extends AppError {
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

/** 429: other work takes all that the account, or the server, has for this. */
export class ServerBusyError extends AppError {
  override readonly headers = RETRY_SOON;

  constructor() {
    super(errorCatalogue.server_busy.message, 'server_busy');
  }
}

/** 507: the storage is full, or what is left is reserved. */
export class InsufficientStorageError extends AppError {
  constructor() {
    super(errorCatalogue.insufficient_storage.message, 'insufficient_storage');
  }
}

/** 503: the storage is read-only, cannot be accessed or is away. */
export class StorageUnavailableError extends AppError {
  override readonly headers = RETRY_SOON;

  constructor() {
    super(errorCatalogue.storage_unavailable.message, 'storage_unavailable');
  }
}

/** 503: the storage has returned other bytes than were stored, so nothing is known about what was stored. */
export class OtherBytesError extends AppError {
  override readonly headers = RETRY_SOON;

  constructor() {
    super(
      'The file storage returned other bytes than were stored. Try again in a moment.',
      'storage_unavailable',
    );
  }
}

/** 503: artifacts of the organization, or of others, take long to read, or the machine is busy. */
export class ArtifactReaderBusyError extends AppError {
  override readonly headers = RETRY_SOON;

  constructor() {
    super(errorCatalogue.artifact_reader_busy.message, 'artifact_reader_busy');
  }
}

/** 503: the machine did not give the process that opens a file the time that it needs. */
export class CertificateReaderBusyError extends AppError {
  override readonly headers = RETRY_SOON;

  constructor() {
    super(errorCatalogue.certificate_reader_busy.message, 'certificate_reader_busy');
  }
}

/** 503, the response to a `DatabaseUnavailableError`. Whether a write took effect may be unknown. */
export class DatabaseUnavailableAppError extends AppError {
  override readonly headers = RETRY_SOON;

  constructor() {
    super(errorCatalogue.database_unavailable.message, 'database_unavailable');
  }
}

/** 503: PostgreSQL ended a statement that waited too long for others. */
export class DatabaseBusyError extends AppError {
  override readonly headers = RETRY_SOON;

  constructor() {
    super(errorCatalogue.database_busy.message, 'database_busy');
  }
}

/** 500: the stored bytes are known to be damaged and are not sent. */
export class DamagedFileError extends AppError {
  constructor() {
    super(errorCatalogue.file_damaged.message, 'file_damaged');
  }
}

const CLASSES: Readonly<Record<400 | 403 | 409 | 410, new (message: string, code: never) => AppError>> = {
  400: InvalidRequestError,
  403: ForbiddenError,
  409: ConflictError,
  410: GoneError,
};

/** The error of a code with the sentence of the catalogue, for sentences without values. */
export function errorOf(code: ErrorCodeOf<keyof typeof CLASSES>): AppError {
  const { status, message } = errorCatalogue[code];
  return new CLASSES[status as keyof typeof CLASSES](message, code as never);
}
