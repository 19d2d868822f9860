import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AUTHENTICATED_BY } from '../common/access/authenticated-by.decorator.js';
import type { Principal } from '../common/access/principal.js';
import { RATE_LIMIT, type RateLimitedBy } from '../common/access/rate-limit.decorator.js';
import { RateLimitsService } from './rate-limits.service.js';

/**
 * Refuses callers that call too often. It runs after the guard that knows who is calling, which costs a caller without
 * token nothing, and before all that costs something. Callers whom that guard refuses do not come here: it counts
 * them itself. Requests of machines are counted by their own guards, which know who sends them.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimitsService,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: Principal }>();
    const response = context.switchToHttp().getResponse<Response>();
    const by = this.reflector.get<RateLimitedBy | undefined>(RATE_LIMIT, context.getHandler());
    if (by === 'none' || this.reflector.get(AUTHENTICATED_BY, context.getHandler()) !== undefined)
      return true;
    if (by === 'sign-in' || by === 'sign-in-polling') this.limits.countAddress(by, request, response);
    else if (request.user !== undefined) this.limits.countToken(request.user.tokenId, response);
    else if (by !== 'devices') this.limits.countAddress('address', request, response);
    return true;
  }
}
