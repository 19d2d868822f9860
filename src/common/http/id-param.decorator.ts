import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { NotFoundError } from '../errors/app-error.js';
import {
  type IdParamName,
  notFoundCodeOf,
  type NotFoundName,
  notFoundNameOf,
} from '../errors/not-found-name.js';
import { isUuid } from '../validation/uuid.js';

/**
 * The id in the path, in lower case. A malformed id is a 404, like an unknown one: `@IdParam('channelId')` throws
 * "Channel not found."
 */
export function IdParam(name: IdParamName): ParameterDecorator {
  return (target, method, index) => {
    fromPath(name)(target, method, index);
    if (method !== undefined) documentIdParam(target, method, name);
  };
}

/** Documents an id in the path of a handler, and its 404. */
export function documentIdParam(target: object, method: string | symbol, name: IdParamName): void {
  const handler = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
  const what = whatOf(name);
  ApiParam({
    name,
    description: `Id of the ${what.toLowerCase()}.`,
    schema: { type: 'string', format: 'uuid' },
  })(target, method, handler);
  ApiErrors(notFoundCodeOf(what))(target, method, handler);
}

const fromPath = createParamDecorator((name: IdParamName, context: ExecutionContext): string => {
  const id = context.switchToHttp().getRequest<Request>().params[name];
  if (typeof id !== 'string' || !isUuid(id)) throw new NotFoundError(whatOf(name));
  return id.toLowerCase();
});

/** `channelId` becomes `Channel`, `buildArtifactId` becomes `Build artifact`. */
function whatOf(name: IdParamName): NotFoundName {
  return notFoundNameOf(name.replace(/Id$/, ''));
}
