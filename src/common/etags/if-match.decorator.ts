import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { type IfMatch as Condition, parseIfMatch } from './if-match.js';

/** The header `If-Match`: the caller wants the change only when nobody has changed the object meanwhile. */
export function IfMatch(): ParameterDecorator {
  return (target, method, index) => {
    fromHeader()(target, method, index);
    if (method === undefined) return;
    const handler = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'The `ETag` that GET of this object answered: if it has changed since, the answer is 412.',
      schema: { type: 'string' },
    })(target, method, handler);
    ApiErrors(400, 412)(target, method, handler);
  };
}

const fromHeader = createParamDecorator((_: unknown, context: ExecutionContext): Condition | undefined =>
  parseIfMatch(context.switchToHttp().getRequest<Request>().headers['if-match']),
);
