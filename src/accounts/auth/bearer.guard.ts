import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { PUBLIC } from '../../common/access/requires.decorator.js';
import { refuseTokenIn } from '../../common/access/token-outside-header.js';
import { UnauthenticatedError } from '../../common/errors/app-error.js';
import { RateLimitsService } from '../../rate-limits/rate-limits.service.js';

/**
 * Who is calling? The first of the global guards. It takes a token from the `Authorization` header only: elsewhere it
 * would end up in logs and histories. Refused requests count against their address. A valid token passes from every
 * address, whatever other callers at that address do.
 */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
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
    const sent = request.headers.authorization !== undefined;
    if (!sent && this.reflector.get<boolean>(PUBLIC, context.getHandler())) return true;
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<T>(error: unknown, user: T | false, _info: unknown, context: ExecutionContext): T {
    if (error) throw error;
    if (user) return user;
    const request = context.switchToHttp().getRequest<Request>();
    this.limits.countAddress('address', request, context.switchToHttp().getResponse<Response>());
    const sent = request.headers.authorization !== undefined;
    throw new UnauthenticatedError(sent ? 'The token is not valid.' : 'Not authenticated.', sent);
  }
}
