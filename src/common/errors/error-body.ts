import { STATUS_CODES } from 'node:http';
import type { AppError } from './app-error.js';
import { errorCatalogue } from './catalogue/error-catalogue.js';
import type { ErrorDto } from './error.dto.js';

/** What the body shows of an error. */
type Shown = Pick<AppError, 'status' | 'message' | 'code' | 'errors'>;

const internalError: Shown = {
  ...errorCatalogue.internal_error,
  code: 'internal_error',
};

/** The body of every error. @param error `null`: a failure of the server, whose cause the response must not contain */
export function errorBody(error: Shown | null, requestId: string): ErrorDto {
  const { status, message, code, errors } = error ?? internalError;
  return {
    type: `urn:slipway:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    message,
    code,
    ...(errors ? { errors: [...errors] } : {}),
    requestId,
  };
}
