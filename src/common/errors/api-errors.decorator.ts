import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorDto } from './error.dto.js';

const descriptions = {
  400: 'The request is invalid; `errors` lists every wrong field.',
  401: 'No valid token was sent.',
  403: 'The role of the caller does not allow it.',
  404: 'The object does not exist, or the caller cannot see it.',
  409: 'The state of the object forbids it, such as a name that is taken.',
  413: 'The body is too large.',
  415: 'The body has the wrong content type.',
} as const;

/** Documents the errors of a handler, besides those that `@Requires()` documents. */
export function ApiErrors(...statuses: (keyof typeof descriptions)[]): MethodDecorator {
  return applyDecorators(
    ...statuses.map((status) => ApiResponse({ status, description: descriptions[status], type: ErrorDto })),
  );
}
