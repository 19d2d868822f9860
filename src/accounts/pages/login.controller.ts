import { Body, Query } from '@nestjs/common';
import { SignInService } from '../sign-in/sign-in.service.js';
import { SecondFactorChallenges } from './second-factor-challenges.js';
import { LoginForm, LoginQuery, SecondFactorForm } from './forms.dto.js';
import { failureOf, loginPage, secondFactorPage } from './login.views.js';
import { CurrentVisit, isSignedIn, type Page, type Redirection, Visit } from './page.js';
import { GetPage, PageController, PostForm } from './page.decorators.js';
import { returnPath } from './return-path.js';
import type { User } from '../users/user.entity.js';

const WRONG = 'That is not right. Check what you typed and try again.';

/** Signing in with a password and, where it is on, a second factor. */
@PageController('login')
export class LoginController {
  constructor(
    private readonly signIn: SignInService,
    private readonly challenges: SecondFactorChallenges,
  ) {}

  @GetPage()
  show(@CurrentVisit() visit: Visit, @Query() { next }: LoginQuery): Page | Redirection {
    return isSignedIn(visit) ? { redirectTo: returnPath(next) } : loginPage(visit, { next });
  }

  @PostForm()
  async send(@CurrentVisit() visit: Visit, @Body() form: LoginForm): Promise<Page | Redirection> {
    const { email, next } = form;
    const proof = await this.signIn.provePassword(email, form.password, visit.client);
    if (proof.result !== 'proven') return loginPage(visit, { email, next, failure: failureOf(proof, WRONG) });
    if (!proof.user.twoFactorEnabled) return this.complete(visit, proof.user, next);
    const challenge = this.challenges.issue(proof.user.id, visit);
    return secondFactorPage(visit, { challenge, next });
  }

  @PostForm('second-factor')
  async sendCode(@CurrentVisit() visit: Visit, @Body() form: SecondFactorForm): Promise<Page | Redirection> {
    const { challenge, next } = form;
    const userId = this.challenges.read(challenge, visit);
    if (userId === null) {
      return loginPage(visit, { next, failure: { message: 'This took too long. Sign in again.' } });
    }
    const proof = await this.signIn.proveSecondFactor(userId, form.code, visit.client);
    if (proof.result !== 'proven') {
      return secondFactorPage(visit, { challenge, next, failure: failureOf(proof, WRONG) });
    }
    return this.complete(visit, proof.user, next);
  }

  private async complete(visit: Visit, user: User, next: string): Promise<Redirection> {
    const { token } = await this.signIn.open(user, visit.client);
    visit.setCookie(token);
    return { redirectTo: returnPath(next) };
  }
}
