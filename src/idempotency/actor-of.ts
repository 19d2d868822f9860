import type { Request } from 'express';
import type { Principal } from '../common/access/principal.js';
import { requestIdOf } from '../common/http/request-id.middleware.js';
import { requestOriginOf } from '../common/request-origin/request-origin.js';
import type { Actor } from '../database/transactions/actor.js';

/** Who sends a request. @param operation such as `Channels_pause` */
export function actorOf(request: Request & { readonly user?: Principal }, operation: string): Actor {
  const { user } = request;
  const { address, userAgent } = requestOriginOf(request);
  return {
    userId: user?.userId ?? null,
    tokenId: user?.tokenId ?? null,
    session: user?.sessionId !== undefined,
    address,
    userAgent,
    requestId: requestIdOf(request),
    operation,
  };
}
