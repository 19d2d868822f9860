import { Body, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { OidcProvider } from './oidc-provider.js';
import { OidcService, type Proven } from './oidc.service.js';
import { signInExpired } from './oidc-errors.js';
import { AccountLinks, LinkProofRequired, type PendingLink } from './account-links.js';
import { LinkForm } from './link-form.dto.js';
import { linkPage } from './link.views.js';
import { OidcQuery } from './oidc-query.dto.js';
import { IdentityProofs } from '../identity-proofs/identity-proofs.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { failureOf } from '../sign-in-attempts/proof.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OidcTransactions } from './oidc-transactions.js';
import { CurrentVisit, isSignedIn, type Page, type Redirection, Visit } from '../../pages/views/page.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { returnPath } from '../../pages/views/site-map.js';

const PATH = '/login/oidc';

/**
 * Sign-in with the OpenID provider. It starts with a link, not with a form: browsers apply `form-action` to the redirects
 * of a form, and an attacker gains nothing if a user follows the link.
 */
@OwnTransactions()
@PageController(PATH)
export class OidcController {
  constructor(
    private readonly config: Config,
    private readonly provider: OidcProvider,
    private readonly oidc: OidcService,
    private readonly transactions: OidcTransactions,
    private readonly links: AccountLinks,
    private readonly proofs: IdentityProofs,
    private readonly sessions: SessionsService,
  ) {}

  @GetPage()
  async begin(
    @CurrentVisit() visit: Visit,
    @Query() query: OidcQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Redirection> {
    const next = returnPath(query.next);
    const again = isSignedIn(visit);
    if (again && query.confirm !== 'yes') return { redirectTo: next };
    const { url, authorization } = await this.provider.begin(this.redirectUri(request), again);
    this.transactions.store(request, response, visit, { ...authorization, next });
    return { redirectTo: url };
  }

  /** The redirect URL of the provider. */
  @GetPage('callback')
  async finish(
    @CurrentVisit() visit: Visit,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page | Redirection> {
    const { searchParams: search } = new URL(request.originalUrl, this.redirectUri(request));
    const transaction = this.transactions.take(request, response, visit, search.get('state'));
    if (transaction === null) throw signInExpired();
    const profile = await this.provider.finish(search, transaction);
    const { next } = transaction;
    try {
      return await this.complete(visit, { profile, next }, null);
    } catch (error) {
      if (!(error instanceof LinkProofRequired)) throw error;
      const sealed = this.links.seal({ profile, next }, visit);
      const { user, factors } = error;
      return linkPage(visit, this.config.oidc.name, { email: user.email, factors, sealed });
    }
  }

  /** Links the account of the provider once the user is proved here. */
  @PostForm('link')
  @RateLimit('sign-in')
  async link(@CurrentVisit() visit: Visit, @Body() form: LinkForm): Promise<Page | Redirection> {
    const { sealed } = form;
    const link = this.links.open(sealed, visit);
    if (link === null) throw signInExpired();
    try {
      return await this.complete(visit, link, null);
    } catch (error) {
      if (!(error instanceof LinkProofRequired)) throw error;
      const { user, factors } = error;
      const proof = await this.proofs.verify(user, factors, form, visit.origin);
      if (proof.result === 'proven') {
        return this.complete(visit, link, { userId: user.id, secondFactor: factors.code });
      }
      const failure = failureOf(proof, 'That is not right. Check what you typed and try again.');
      return linkPage(visit, this.config.oidc.name, { email: user.email, factors, sealed, failure });
    }
  }

  /** Opens a session in place of the visitor's. @throws LinkProofRequired */
  private async complete(
    visit: Visit,
    { profile, next }: PendingLink,
    proven: Proven | null,
  ): Promise<Redirection> {
    const { token } = await this.oidc.signIn(profile, visit.origin, proven);
    // It has ended already where the sign-in has verified the address of its user.
    if (isSignedIn(visit)) await this.sessions.end(visit.userId, visit.sessionId);
    visit.setCookie(token);
    return { redirectTo: next };
  }

  private redirectUri(request: Request): string {
    return `${publicUrl(this.config.http, request)}${PATH}/callback`;
  }
}
