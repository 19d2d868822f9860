import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { NotFoundError } from '../errors/app-error.js';
import { isUuid } from '../validation/uuid.js';

/**
 * The id in the path, in lower case. A malformed one answers like an unknown one: 404.
 *
 * `@IdParam('channelId')` answers "Channel not found."
 *
 * @param name the parameter of the path; it ends in `Id`
 */
export function IdParam(name: string): ParameterDecorator {
  return (target, method, index) => {
    fromPath(name)(target, method, index);
    if (method !== undefined) documentIdParam(target, method, name);
  };
}

/** Documents an id in the path of a handler, and its 404. */
export function documentIdParam(target: object, method: string | symbol, name: string): void {
  const handler = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
  const what = whatOf(name);
  ApiParam({
    name,
    description: `Id of the ${what.toLowerCase()}.`,
    schema: { type: 'string', format: 'uuid' },
  })(target, method, handler);
  ApiErrors(404)(target, method, handler);
}

const fromPath = createParamDecorator((name: string, context: ExecutionContext): string => {
  const id = context.switchToHttp().getRequest<Request>().params[name];
  if (typeof id !== 'string' || !isUuid(id)) throw new NotFoundError(whatOf(name));
  return id.toLowerCase();
});

/** `channelId` becomes "Channel", `buildArtifactId` "Build artifact". */
function whatOf(name: string): string {
  const words = name.replace(/Id$/, '').replace(/([A-Z])/g, ' $1');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
