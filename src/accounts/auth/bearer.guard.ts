import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { AUTHENTICATED_BY } from '../../common/access/authenticated-by.decorator.js';
import type { Principal } from '../../common/access/principal.js';
import { FOR_PAGES, PUBLIC } from '../../common/access/requires.decorator.js';
import { TOKEN_ONLY } from '../../common/access/token-only.decorator.js';
import { refuseTokenIn } from '../../common/access/token-outside-header.js';
import { type AppError, ForbiddenError, UnauthenticatedError } from '../../common/errors/app-error.js';
import { RateLimitsService } from '../../rate-limits/rate-limits.service.js';
import { PageSessions } from './page-sessions.service.js';
import { RecentTokens } from './recent-tokens.js';

/**
 * Who is calling? The first of the global guards. It takes a token from the `Authorization` header only: elsewhere it
 * would end up in logs and histories. Without that header, a script of a page may call with the session of its visitor, on
 * a public route only if it is for pages. Routes for machines have a `MachineTokenGuard` instead. Refused requests count against their
 * address. The database is asked for twice as many unknown tokens of one address as it may send without a valid one;
 * tokens that were valid lately always pass.
 */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  private readonly recent = new RecentTokens();

  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimitsService,
    private readonly pages: PageSessions,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    const request = context.switchToHttp().getRequest<Request>();
    refuseTokenIn(request.query);
    refuseTokenIn(request.body);
    if (this.reflector.get(AUTHENTICATED_BY, handler) !== undefined) return true;
    const { authorization } = request.headers;
    if (authorization === undefined) {
      const isPublic = this.reflector.get<boolean>(PUBLIC, handler);
      const isForPages = isPublic
        ? this.reflector.get<boolean>(FOR_PAGES, handler)
        : !this.reflector.get<boolean>(TOKEN_ONLY, handler);
      if ((isForPages && (await this.acceptPage(context))) || isPublic) return true;
    } else if (!this.recent.has(authorization)) this.limits.countLookup(request);
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<T>(error: unknown, user: T | false, _info: unknown, context: ExecutionContext): T {
    if (error) throw error;
    const { authorization } = context.switchToHttp().getRequest<Request>().headers;
    if (user) {
      if (authorization !== undefined) this.recent.add(authorization);
      return user;
    }
    const sent = authorization !== undefined;
    throw this.refused(
      context,
      new UnauthenticatedError(sent ? 'The token is not valid.' : 'Not authenticated.', sent),
    );
  }

  /**
   * Accepts the session of a page in place of a token. A cookie without the header of a page is as good as none: the
   * response says nothing about it.
   *
   * @returns whether the request has such a session
   */
  private async acceptPage(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & { user?: Principal }>();
    const cookie = this.pages.cookieOf(request);
    if (cookie === null) return false;
    if (!this.pages.isFromPage(request, cookie)) {
      const message = 'The request does not come from an up-to-date page of this server. Reload the page.';
      throw this.refused(context, new ForbiddenError(message, 'csrf_check_failed'));
    }
    if (!this.recent.has(cookie)) this.limits.countLookup(request);
    const principal = await this.pages.find(cookie);
    if (principal === null) {
      throw this.refused(context, new UnauthenticatedError('The session has ended. Sign in again.', true));
    }
    this.recent.add(cookie);
    request.user = principal;
    return true;
  }

  /** Counts a refused request. @throws RateLimitedError when the address has sent too many of these */
  private refused<T extends AppError>(context: ExecutionContext, error: T): T {
    const http = context.switchToHttp();
    this.limits.countAddress('address', http.getRequest<Request>(), http.getResponse<Response>());
    return error;
  }
}
