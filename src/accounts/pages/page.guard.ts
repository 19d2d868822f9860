import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { deriveKey } from '../../common/secrets/derive-key.js';
import { Config, encryptionKeyOf } from '../../config/config.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { UsersService } from '../users/users.service.js';
import { csrfToken, isCsrfToken, isSameOrigin } from './csrf.js';
import { type PageRequest, principalOf, type SignedInVisit, type Visit } from './page.js';
import { isVisitor, newVisitor, readPageCookie, writePageCookie } from './page-cookie.js';
import { CsrfError, SignInRequired } from './page-errors.js';
import { returnPath } from './return-path.js';
import { SIGNED_IN } from './signed-in.decorator.js';

/** Finds out who visits a page, and lets only forms of our own pages through. */
@Injectable()
export class PageGuard implements CanActivate {
  private readonly csrfKey: Buffer;

  constructor(
    private readonly config: Config,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
    private readonly reflector: Reflector,
  ) {
    this.csrfKey = deriveKey(encryptionKeyOf(config), 'forms');
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PageRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const sent = readPageCookie(this.config.http, request);
    if (request.method === 'POST') this.refuseCrossSiteForm(request, sent);
    const principal = sent === null ? null : await this.sessions.authenticate('browser', sent);
    if (sent !== null && principal !== null) {
      const { email } = await this.users.get(principal.userId);
      const visit = this.visit(request, response, sent);
      const signedIn: SignedInVisit = { ...visit, ...principal, email };
      request.visit = signedIn;
      request.user = principalOf(signedIn);
      return true;
    }
    const signedIn = this.reflector.getAllAndOverride<boolean | undefined>(SIGNED_IN, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (signedIn) throw new SignInRequired(returnPath(request.path));
    const cookie = sent !== null && isVisitor(sent) ? sent : newVisitor();
    if (cookie !== sent) writePageCookie(this.config.http, request, response, cookie);
    request.visit = this.visit(request, response, cookie);
    return true;
  }

  private visit(request: PageRequest, response: Response, cookie: string): Visit {
    return {
      csrf: csrfToken(this.csrfKey, cookie),
      origin: requestOriginOf(request, null),
      setCookie: (value) => writePageCookie(this.config.http, request, response, value),
    };
  }

  private refuseCrossSiteForm(request: PageRequest, cookie: string | null): void {
    const own = [publicUrl(this.config.http, request), `${request.protocol}://${request.host}`];
    const body = request.body as Readonly<Record<string, unknown>> | undefined;
    if (
      cookie === null ||
      !isSameOrigin(request, own) ||
      !isCsrfToken(this.csrfKey, cookie, body?.['csrf'])
    ) {
      throw new CsrfError();
    }
  }
}
