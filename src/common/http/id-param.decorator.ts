import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { NotFoundError } from '../errors/app-error.js';
import { isUuid } from '../validation/uuid.js';

const readId = createParamDecorator((name: string, context: ExecutionContext): string => {
  const id = context.switchToHttp().getRequest<Request>().params[name];
  if (typeof id !== 'string' || !isUuid(id)) throw new NotFoundError(whatOf(name));
  return id.toLowerCase();
});

/**
 * The id in the path, in lower case, documented as a UUID. A malformed one answers like an unknown one: 404.
 *
 * `@IdParam('channelId')` answers "Channel not found."
 */
export function IdParam(name: string): ParameterDecorator {
  const description = `Id of the ${whatOf(name).toLowerCase()}.`;
  return (target, handler, index) => {
    readId(name)(target, handler, index);
    const method = Object.getOwnPropertyDescriptor(target, handler ?? '');
    if (method === undefined) return;
    ApiParam({ name, description, schema: { type: 'string', format: 'uuid' } })(
      target,
      handler ?? '',
      method,
    );
  };
}

/** `channelId` becomes "Channel", `buildArtifactId` "Build artifact". */
function whatOf(name: string): string {
  const words = name.replace(/Id$/, '').replace(/([A-Z])/g, ' $1');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
