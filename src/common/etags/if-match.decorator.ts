import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { type IfMatch as Condition, parseIfMatch } from './if-match.js';

/** The header `If-Match`: the caller wants the change only if the object has not changed in the meantime. */
export function IfMatch(): ParameterDecorator {
  return (target, method, index) => {
    fromHeader()(target, method, index);
    if (method === undefined) return;
    const handler = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The `ETag` of the object from an earlier response. If one of its own fields has changed since, the response is 412.',
      schema: { type: 'string' },
    })(target, method, handler);
    ApiErrors('invalid_request', 'precondition_failed')(target, method, handler);
  };
}

const fromHeader = createParamDecorator((_: unknown, context: ExecutionContext): Condition | undefined =>
  parseIfMatch(context.switchToHttp().getRequest<Request>().headers['if-match']),
);
