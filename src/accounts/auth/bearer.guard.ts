import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { AUTHENTICATED_BY } from '../../common/access/authenticated-by.decorator.js';
import { PUBLIC } from '../../common/access/requires.decorator.js';
import { refuseTokenIn } from '../../common/access/token-outside-header.js';
import { UnauthenticatedError } from '../../common/errors/app-error.js';
import { RateLimitsService } from '../../rate-limits/rate-limits.service.js';
import { RecentTokens } from './recent-tokens.js';

/**
 * Who is calling? The first of the global guards. It takes a token from the `Authorization` header only: elsewhere it
 * would end up in logs and histories. Routes for machines have a `MachineTokenGuard` instead. Refused requests count against their address. The database is asked for twice as
 * many unknown tokens of one address as it may send without a valid one; tokens that were valid lately always pass.
 */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  private readonly recent = new RecentTokens();

  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimitsService,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    refuseTokenIn(request.query);
    refuseTokenIn(request.body);
    if (this.reflector.get(AUTHENTICATED_BY, context.getHandler()) !== undefined) return true;
    const { authorization } = request.headers;
    if (authorization === undefined && this.reflector.get<boolean>(PUBLIC, context.getHandler())) return true;
    if (authorization !== undefined && !this.recent.has(authorization)) this.limits.countLookup(request);
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<T>(error: unknown, user: T | false, _info: unknown, context: ExecutionContext): T {
    if (error) throw error;
    const request = context.switchToHttp().getRequest<Request>();
    const { authorization } = request.headers;
    if (user) {
      if (authorization !== undefined) this.recent.add(authorization);
      return user;
    }
    this.limits.countAddress('address', request, context.switchToHttp().getResponse<Response>());
    const sent = authorization !== undefined;
    throw new UnauthenticatedError(sent ? 'The token is not valid.' : 'Not authenticated.', sent);
  }
}
