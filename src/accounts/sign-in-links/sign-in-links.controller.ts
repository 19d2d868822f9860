import { Body, Query } from '@nestjs/common';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { CurrentVisit, isSignedIn, type Page, type Redirection, Visit } from '../../pages/views/page.js';
import { START_PATH } from '../../pages/views/site-map.js';
import { newPasswordProblem } from '../passwords/password-rules.js';
import { SignInMethods } from '../passwords/sign-in-methods.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { FirstPasswordForm, SignInLinkQuery } from './sign-in-link-forms.dto.js';
import { firstPasswordPage, invalidLinkPage } from './sign-in-link.views.js';
import { SignInLinksService } from './sign-in-links.service.js';

/** The page of the link that `slipway start` prints: the first user sets a password and is signed in. */
@OwnTransactions()
@PageController('login/link')
export class SignInLinksController {
  constructor(
    private readonly links: SignInLinksService,
    private readonly signIn: SignInService,
    private readonly methods: SignInMethods,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: Visit, @Query() { token }: SignInLinkQuery): Promise<Page | Redirection> {
    this.methods.requireLocal();
    const user = await this.links.find(token);
    if (user !== null) return firstPasswordPage(visit, { email: user.email, token });
    // The link in the terminal stays a way to the start page.
    return isSignedIn(visit) ? { redirectTo: START_PATH } : invalidLinkPage();
  }

  @PostForm()
  @RateLimit('sign-in')
  async send(@CurrentVisit() visit: Visit, @Body() form: FirstPasswordForm): Promise<Page | Redirection> {
    this.methods.requireLocal();
    const { token } = form;
    const problem = newPasswordProblem(form);
    if (problem !== null) {
      const user = await this.links.find(token);
      if (user === null) return invalidLinkPage();
      return firstPasswordPage(visit, { email: user.email, token, failure: { message: problem } });
    }
    const user = await this.links.redeem(token, form.password);
    if (user === null) return invalidLinkPage();
    const session = await this.signIn.open(user, visit.origin, false);
    visit.setCookie(session.token);
    return { redirectTo: START_PATH };
  }
}
