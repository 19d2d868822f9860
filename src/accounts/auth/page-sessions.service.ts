import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../../config/config.js';
import { CSRF_HEADER, csrfKeyOf, isCsrfToken, isSameOrigin } from '../../pages/requests/csrf.js';
import { readPageCookie } from '../../pages/requests/page-cookie.js';
import { type SessionPrincipal, SessionsService } from '../sessions/sessions.service.js';

/**
 * Requests that a script of a page sends to the API with the session of its visitor: with the page cookie, and with the
 * CSRF token of the page, which no other site can read. See ADR 47.
 */
@Injectable()
export class PageSessions {
  private readonly csrfKey: Buffer;

  constructor(
    private readonly config: Config,
    private readonly sessions: SessionsService,
  ) {
    this.csrfKey = csrfKeyOf(config);
  }

  /** The page cookie of a request with a CSRF header; `null`: it has not both, so no page has sent it. */
  cookieOf(request: Request): string | null {
    return request.headers[CSRF_HEADER] === undefined ? null : readPageCookie(this.config.http, request);
  }

  /**
   * Whether a page of this server sends the request. The CSRF token alone shows that; the headers of the browser are a
   * second check, for the day on which a page gives its token away. Scripts do not send `Sec-Fetch-Site: none`.
   */
  isFromPage(request: Request, cookie: string): boolean {
    return (
      request.headers['sec-fetch-site'] !== 'none' &&
      isSameOrigin(this.config.http, request) &&
      isCsrfToken(this.csrfKey, cookie, request.headers[CSRF_HEADER])
    );
  }

  /** The visitor of the page. @returns `null` when the session has ended, or the cookie is not that of a session */
  find(cookie: string): Promise<SessionPrincipal | null> {
    return this.sessions.authenticate('browser', cookie);
  }
}
