import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { PUBLIC } from '../../common/access/requires.decorator.js';
import { refuseTokenIn } from '../../common/access/token-outside-header.js';
import { UnauthenticatedError } from '../../common/errors/app-error.js';

/**
 * Who is calling? The first of the global guards. A token is taken from the `Authorization` header only: elsewhere it
 * would end up in logs and histories.
 */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(private readonly reflector: Reflector) {
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
    const sent = context.switchToHttp().getRequest<Request>().headers.authorization !== undefined;
    throw new UnauthenticatedError(sent ? 'The token is not valid.' : 'Not authenticated.', sent);
  }
}
