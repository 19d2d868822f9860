import { Body, Query } from '@nestjs/common';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { NextQuery } from '../../pages/forms/forms.dto.js';
import { SignInService } from './sign-in.service.js';
import { SecondFactorChallenges } from './second-factor-challenges.js';
import { LoginForm, SecondFactorForm } from './login-forms.dto.js';
import { loginPage, secondFactorPage } from './login.views.js';
import { CurrentVisit, isSignedIn, type Page, type Redirection, Visit } from '../../pages/views/page.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { returnPath } from '../../pages/views/site-map.js';
import { PasswordProofs } from '../passwords/password-proofs.service.js';
import { SignInMethods } from '../passwords/sign-in-methods.js';
import { failureOf } from '../sign-in-attempts/proof.js';
import { SecondFactorProofs } from '../two-factor/second-factor-proofs.service.js';
import type { User } from '../users/user.entity.js';

const WRONG = 'That is not right. Check what you typed and try again.';

/** Sign-in with a password and, if the user has one, a second factor. */
@OwnTransactions()
@PageController('login')
export class LoginController {
  constructor(
    private readonly passwords: PasswordProofs,
    private readonly secondFactors: SecondFactorProofs,
    private readonly signIn: SignInService,
    private readonly challenges: SecondFactorChallenges,
    private readonly methods: SignInMethods,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: Visit, @Query() { next }: NextQuery): Promise<Page | Redirection> {
    if (isSignedIn(visit)) return { redirectTo: returnPath(next) };
    return loginPage(visit, this.methods, { next, lacksPasswords: await this.methods.lacksPasswords() });
  }

  @PostForm()
  @RateLimit('sign-in')
  async send(@CurrentVisit() visit: Visit, @Body() form: LoginForm): Promise<Page | Redirection> {
    this.methods.requireLocal();
    const { email, next } = form;
    const proof = await this.passwords.verifyPassword(email, form.password, visit.origin);
    if (proof.result !== 'proven') {
      return loginPage(visit, this.methods, { email, next, failure: failureOf(proof, WRONG) });
    }
    const { user, passwordId } = proof;
    if (!user.twoFactorEnabled) return this.complete(visit, user, passwordId, next, false);
    const challenge = this.challenges.issue({ userId: user.id, passwordId }, visit);
    return secondFactorPage(visit, { challenge, next });
  }

  @PostForm('second-factor')
  @RateLimit('sign-in')
  async sendCode(@CurrentVisit() visit: Visit, @Body() form: SecondFactorForm): Promise<Page | Redirection> {
    this.methods.requireLocal();
    const { challenge, next } = form;
    const verified = this.challenges.read(challenge, visit);
    if (verified === null) return this.again(visit, next, 'This took too long. Sign in again.');
    const proof = await this.secondFactors.verifyCode(verified.userId, form.code, visit.origin);
    if (proof.result !== 'proven') {
      return secondFactorPage(visit, { challenge, next, failure: failureOf(proof, WRONG) });
    }
    return this.complete(visit, proof.user, verified.passwordId, next, true);
  }

  private async complete(
    visit: Visit,
    user: User,
    passwordId: string,
    next: string,
    secondFactor: boolean,
  ): Promise<Page | Redirection> {
    const session = await this.signIn.openWith(passwordId, user, visit.origin, secondFactor);
    if (session === null) return this.again(visit, next, 'The password was changed. Sign in again.');
    visit.setCookie(session.token);
    return { redirectTo: returnPath(next) };
  }

  private again(visit: Visit, next: string, message: string): Page {
    return loginPage(visit, this.methods, { next, failure: { message } });
  }
}
