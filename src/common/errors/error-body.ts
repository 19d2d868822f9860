import { STATUS_CODES } from 'node:http';
import type { AppError } from './app-error.js';
import type { ErrorDto } from './error.dto.js';

/** The body of every error. @param error `null`: a failure of ours, of which nothing may be shown */
export function errorBody(error: AppError | null, requestId: string): ErrorDto {
  const status = error?.status ?? 500;
  const message = error?.message ?? 'An internal error occurred.';
  const code = error?.code ?? 'internal_error';
  return {
    type: `urn:slipway:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    message,
    code,
    ...(error?.errors ? { errors: [...error.errors] } : {}),
    requestId,
  };
}
