import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import type { Request } from 'express';
import { allowedMethods } from '../http/allowed-methods.js';
import {
  AppError,
  DatabaseBusyError,
  DatabaseUnavailableAppError,
  InsufficientStorageError,
  MethodNotAllowedError,
  NotFoundError,
  StorageUnavailableError,
  TooLargeError,
} from './app-error.js';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { StorageFailure } from './storage-failure.js';

/** SQLSTATE: a lock was not free in time, the statement took too long, or transactions waited for each other again and again. */
const WAITED_TOO_LONG: ReadonlySet<unknown> = new Set(['55P03', '57014', '40P01']);

/** An error of a library (body or multipart parser, router), with the status that the library chose. */
class LibraryError extends AppError {
  constructor(
    override readonly status: number,
    message: string,
    code: 'invalid_request' | 'malformed_json' | 'unavailable',
  ) {
    super(message, code);
  }
}

/**
 * Translates a thrown value into an error for the caller.
 *
 * @returns the error, or `null` for a failure of the server, whose cause the response must not contain
 */
export function toAppError(thrown: unknown, request: Request): AppError | null {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof DatabaseUnavailableError) return new DatabaseUnavailableAppError();
  if (thrown instanceof StorageFailure) {
    return thrown.reason === 'full' ? new InsufficientStorageError() : new StorageUnavailableError();
  }
  // The errors of the driver have the SQLSTATE as their code, and those of TypeORM repeat it.
  if (WAITED_TOO_LONG.has((thrown as { code?: unknown } | null | undefined)?.code))
    return new DatabaseBusyError();
  const status = statusOf(thrown);
  if (status === null || status < 400) return null;
  if (status === 404 && request.route === undefined) return unmatched(request);
  if (status === 413) return new TooLargeError();
  if (status === 503)
    return new LibraryError(503, 'The service is shutting down or not ready.', 'unavailable');
  if (status >= 500) return null;
  if (isMalformedJson(thrown)) return new LibraryError(400, 'The body is not valid JSON.', 'malformed_json');
  return new LibraryError(status, sentence(thrown, status), 'invalid_request');
}

function unmatched(request: Request): AppError {
  const allowed = allowedMethods(request);
  return allowed.length > 0
    ? new MethodNotAllowedError(request.method, allowed)
    : new NotFoundError('Resource');
}

/** The exceptions of Nest and the errors of `http-errors`, which body parsers throw, have a status. */
function statusOf(thrown: unknown): number | null {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number')
    return thrown.status;
  return null;
}

/** Nest wraps the errors of the body parser. */
function isMalformedJson(thrown: unknown): boolean {
  const error = thrown instanceof HttpException ? thrown.cause : thrown;
  return error instanceof Error && 'type' in error && error.type === 'entity.parse.failed';
}

function sentence(thrown: unknown, status: number): string {
  const text = thrown instanceof Error ? thrown.message : (STATUS_CODES[status] ?? 'Error');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
