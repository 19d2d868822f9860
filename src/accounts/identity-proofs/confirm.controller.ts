import { Body, Query } from '@nestjs/common';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { NextQuery } from '../../pages/forms/forms.dto.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { SignedIn } from '../../pages/requests/signed-in.decorator.js';
import { CurrentVisit, type Page, type Redirection, SignedInVisit } from '../../pages/views/page.js';
import { returnPath } from '../../pages/views/site-map.js';
import { SignInMethods } from '../passwords/sign-in-methods.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { failureOf } from '../sign-in-attempts/proof.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { confirmPage } from './confirm.views.js';
import { FactorsForm } from './factors-form.dto.js';
import { type Factors, IdentityProofs } from './identity-proofs.service.js';

/** The page on which visitors who signed in a while ago confirm that it is them. */
@OwnTransactions()
@SignedIn()
@PageController('login/confirm')
export class ConfirmController {
  constructor(
    private readonly users: UsersService,
    private readonly proofs: IdentityProofs,
    private readonly sessions: SessionsService,
    private readonly methods: SignInMethods,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit, @Query() { next }: NextQuery): Promise<Page> {
    const factors = await this.factorOf(await this.users.get(visit.userId));
    return confirmPage(visit, { factors, provider: this.providerOf(visit), next: returnPath(next) });
  }

  @PostForm()
  @RateLimit('sign-in')
  async send(@CurrentVisit() visit: SignedInVisit, @Body() form: FactorsForm): Promise<Page | Redirection> {
    this.methods.requireLocal();
    const user = await this.users.get(visit.userId);
    const [factors, next] = [await this.factorOf(user), returnPath(form.next)];
    if (!factors.password && !factors.code) return { redirectTo: next };
    const proof = await this.proofs.verify(user, factors, form, visit.origin);
    if (proof.result !== 'proven') {
      const failure = failureOf(proof, 'That is not right. Check what you typed and try again.');
      return confirmPage(visit, { factors, provider: this.providerOf(visit), next, failure });
    }
    if (factors.code) await this.sessions.recordSecondFactor(visit.sessionId);
    else await this.sessions.recordProof(visit.sessionId);
    return { redirectTo: next };
  }

  /** The second factor if there is one, because the browser may have stored the password. */
  private async factorOf(user: User): Promise<Factors> {
    const { password, code } = await this.proofs.factorsOf(user);
    return { password: password && !code, code };
  }

  private providerOf({ method }: SignedInVisit): string | null {
    return method === 'oidc' ? this.methods.provider : null;
  }
}
