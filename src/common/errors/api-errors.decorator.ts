import { STATUS_CODES } from 'node:http';
import { applyDecorators } from '@nestjs/common';
import { ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { FieldError } from './app-error.js';
import { ErrorDto } from './error.dto.js';

interface Documented {
  readonly description: string;
  readonly code: string;
  readonly message: string;
  readonly errors?: FieldError[];
}

const nameIsWrong = { field: 'name', message: 'name must be 1 to 128 visible characters long.' };

const documented = {
  400: {
    description: 'The request is invalid; `errors` lists every wrong field.',
    code: 'invalid_fields',
    message: nameIsWrong.message,
    errors: [nameIsWrong],
  },
  401: { description: 'No valid token was sent.', code: 'not_authenticated', message: 'Not authenticated.' },
  403: {
    description: 'The caller lacks the permission.',
    code: 'not_authorized',
    message: 'Not authorized.',
  },
  404: {
    description: 'The object does not exist, or the caller cannot see it.',
    code: 'app_not_found',
    message: 'App not found.',
  },
  409: {
    description: 'The state of the object forbids it, such as a name that is taken.',
    code: 'channel_name_taken',
    message: 'A channel with this name already exists.',
  },
  410: {
    description: 'The object can be used no more.',
    code: 'session_code_expired',
    message: 'The code has expired.',
  },
  412: {
    description: 'The object is not as `If-Match` says: it has changed since.',
    code: 'precondition_failed',
    message: 'The object has changed since you read it. Read it again.',
  },
  413: {
    description: 'The body is too large.',
    code: 'too_large',
    message: 'The request body is too large.',
  },
  415: {
    description: 'The body has the wrong content type.',
    code: 'unsupported_media_type',
    message: 'Send the body as application/json.',
  },
  422: {
    description: 'The `Idempotency-Key` was used for a request with another body.',
    code: 'idempotency_key_reused',
    message: 'This Idempotency-Key was used for a request with another body.',
  },
  429: {
    description: 'Too many requests.',
    code: 'rate_limited',
    message: 'Too many requests. Try again in 12 seconds.',
  },
  503: {
    description: 'The process is not ready, or shutting down.',
    code: 'unavailable',
    message: 'The service is shutting down or not ready.',
  },
} satisfies Record<number, Documented>;

/** Documents the errors of a handler, each with an example. */
export function ApiErrors(...statuses: (keyof typeof documented)[]): MethodDecorator {
  return applyDecorators(...statuses.map((status) => ApiError(status, documented[status])));
}

/** Documents one error of a handler in other words than the usual ones. */
export function ApiErrorAs(status: keyof typeof documented, description: string): MethodDecorator {
  return ApiError(status, { ...documented[status], description });
}

/**
 * One error as the document describes it, for errors that do not depend on the handler.
 *
 * @param error what it is, when not what it usually is
 */
export function describeError(
  status: keyof typeof documented,
  error: Documented = documented[status],
): DescribedError {
  const { description } = error;
  const example = exampleOf(status, error);
  return {
    description,
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorDto) }, example } },
  };
}

interface DescribedError {
  description: string;
  content: Record<string, { schema: { $ref: string }; example: ErrorDto }>;
}

/** Said once: every parameter of a path and the permission document the same errors of one handler. */
function ApiError(status: number, error: Documented): MethodDecorator {
  const { description } = error;
  const document = ApiResponse({ status, description, type: ErrorDto, example: exampleOf(status, error) });
  return (target, method, descriptor) => {
    if (!isDocumented(descriptor.value, status, description)) document(target, method, descriptor);
  };
}

/** Whether the handler has the error in these words already. Several descriptions of one status become paragraphs. */
function isDocumented(handler: unknown, status: number, description: string): boolean {
  const responses = Reflect.getMetadata('swagger/apiResponse', handler as object) as
    Record<string, { description: string }> | undefined;
  return responses?.[status]?.description.split('\n\n').includes(description) ?? false;
}

function exampleOf(status: number, { code, message, errors }: Documented): ErrorDto {
  return {
    type: `urn:slipway:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    message,
    code,
    ...(errors ? { errors } : {}),
    requestId: '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa',
  };
}
