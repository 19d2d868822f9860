import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { errorOf } from '../../common/errors/app-error.js';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { Config } from '../../config/config.js';
import { type PageRequest, principalOf, type SignedInVisit, type Visit } from '../views/page.js';
import { returnPath } from '../views/site-map.js';
import { csrfKeyOf, csrfToken, isCsrfToken, isSameOrigin } from './csrf.js';
import { createAnonymousCookie, isAnonymousCookie, readPageCookie, writePageCookie } from './page-cookie.js';
import { SignInRequired } from './page-errors.js';
import { SIGNED_IN } from './signed-in.decorator.js';
import { Visitors } from './visitors.js';

/** Finds out who visits a page, and refuses forms that do not come from a page of this server. */
@Injectable()
export class PageGuard implements CanActivate {
  private readonly csrfKey: Buffer;

  constructor(
    private readonly config: Config,
    private readonly visitors: Visitors,
    private readonly reflector: Reflector,
  ) {
    this.csrfKey = csrfKeyOf(config);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PageRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const sent = readPageCookie(this.config.http, request);
    if (request.method === 'POST') this.refuseCrossSiteForm(request, sent);
    const visitor = sent === null ? null : await this.visitors.find(sent);
    if (sent !== null && visitor !== null) {
      const signedIn: SignedInVisit = { ...this.visit(request, response, sent), ...visitor };
      request.visit = signedIn;
      request.user = principalOf(signedIn);
      return true;
    }
    if (this.requiresSignIn(context)) throw new SignInRequired(returnPath(request.originalUrl));
    const cookie = sent !== null && isAnonymousCookie(sent) ? sent : createAnonymousCookie();
    if (cookie !== sent) writePageCookie(this.config.http, request, response, cookie);
    request.visit = this.visit(request, response, cookie);
    return true;
  }

  private requiresSignIn(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(SIGNED_IN, targets) ?? false;
  }

  private visit(request: PageRequest, response: Response, cookie: string): Visit {
    return {
      csrf: csrfToken(this.csrfKey, cookie),
      origin: requestOriginOf(request, this.config.http.countryHeader),
      setCookie: (value) => writePageCookie(this.config.http, request, response, value),
    };
  }

  private refuseCrossSiteForm(request: PageRequest, cookie: string | null): void {
    const body = request.body as Readonly<Record<string, unknown>> | undefined;
    if (
      cookie === null ||
      !isSameOrigin(this.config.http, request) ||
      !isCsrfToken(this.csrfKey, cookie, body?.['csrf'])
    ) {
      throw errorOf('foreign_form');
    }
  }
}
