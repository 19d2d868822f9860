import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { NotFoundError } from '../errors/app-error.js';
import { isUuid } from '../validation/uuid.js';

/**
 * The id in the path, in lower case. A malformed one answers like an unknown one: 404.
 *
 * `@IdParam('channelId')` answers "Channel not found."
 */
export const IdParam = createParamDecorator((name: string, context: ExecutionContext): string => {
  const id = context.switchToHttp().getRequest<Request>().params[name];
  if (typeof id !== 'string' || !isUuid(id)) throw new NotFoundError(whatOf(name));
  return id.toLowerCase();
});

/** `channelId` becomes "Channel", `buildArtifactId` "Build artifact". */
function whatOf(name: string): string {
  const words = name.replace(/Id$/, '').replace(/([A-Z])/g, ' $1');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
