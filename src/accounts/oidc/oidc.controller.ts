import { Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { OidcProvider } from './oidc-provider.js';
import { OidcService } from './oidc.service.js';
import { signInExpired } from './oidc-errors.js';
import { NextQuery } from '../../pages/forms/next-query.dto.js';
import { OidcTransactions } from './oidc-transactions.js';
import { CurrentVisit, isSignedIn, type Redirection, Visit } from '../../pages/views/page.js';
import { GetPage, PageController } from '../../pages/requests/page.decorators.js';
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
  ) {}

  @GetPage()
  async begin(
    @CurrentVisit() visit: Visit,
    @Query() query: NextQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Redirection> {
    const next = returnPath(query.next);
    if (isSignedIn(visit)) return { redirectTo: next };
    const { url, authorization } = await this.provider.begin(this.redirectUri(request));
    this.transactions.store(request, response, visit, { ...authorization, next });
    return { redirectTo: url };
  }

  /** The redirect URL of the provider. */
  @GetPage('callback')
  async finish(
    @CurrentVisit() visit: Visit,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Redirection> {
    const { searchParams: search } = new URL(request.originalUrl, this.redirectUri(request));
    const transaction = this.transactions.take(request, response, visit, search.get('state'));
    if (transaction === null) throw signInExpired();
    const profile = await this.provider.finish(search, transaction);
    const { token } = await this.oidc.signIn(profile, visit.origin);
    visit.setCookie(token);
    return { redirectTo: transaction.next };
  }

  private redirectUri(request: Request): string {
    return `${publicUrl(this.config.http, request)}${PATH}/callback`;
  }
}
