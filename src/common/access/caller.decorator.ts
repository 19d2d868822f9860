import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from './principal.js';

/** The signed-in caller; `undefined` only in handlers that are `@Public()`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal | undefined => {
  return context.switchToHttp().getRequest<Request & { user?: Principal }>().user;
});
