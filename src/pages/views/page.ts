import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../../common/access/principal.js';
import { unscoped } from '../../common/access/token-scope.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import type { Html } from './html.js';

/** What a page knows of its visitor. A class only so that decorated handlers can name it at run time. */
export abstract class Visit {
  /** Goes into every form. */
  abstract readonly csrf: string;
  abstract readonly origin: RequestOrigin;
  /** Replaces the cookie: at sign-in and sign-out. */
  abstract readonly setCookie: (value: string) => void;
}

export abstract class SignedInVisit extends Visit {
  abstract readonly userId: string;
  abstract readonly sessionId: string;
  abstract readonly email: string;
  /** How the user proved their identity: here, or at the OpenID provider. */
  abstract readonly method: 'password' | 'oidc';
  /** When the user proved a second factor; `null`: never. */
  abstract readonly secondFactorAt: Date | null;
  /** When the user last proved their identity; `null`: not known. */
  abstract readonly provedAt: Date | null;
}

export type PageRequest = Request & { visit?: Visit | SignedInVisit; user?: Principal };

/** The visit that `PageGuard` has found; a `SignedInVisit` where the page requires a sign-in. */
export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<PageRequest>().visit;
});

export function isSignedIn(visit: Visit): visit is SignedInVisit {
  return 'userId' in visit;
}

/** The visitor as the caller of a service: a user who has signed in, without the limits of a token. */
export function principalOf(visit: SignedInVisit): Principal {
  const { userId, sessionId, origin, method, secondFactorAt, provedAt } = visit;
  return {
    userId,
    tokenId: sessionId,
    sessionId,
    origin,
    limits: unscoped,
    method,
    secondFactorAt,
    provedAt,
  };
}

/** A page to show. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Shows the navigation between the pages for visitors who have signed in. */
  readonly navigation?: boolean;
}

/** Another page to go to. */
export interface Redirection {
  readonly redirectTo: string;
}
