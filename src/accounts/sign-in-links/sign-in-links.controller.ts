import { Body, Query } from '@nestjs/common';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { CurrentVisit, isSignedIn, type Page, type Redirection, Visit } from '../../pages/views/page.js';
import { START_PATH } from '../../pages/views/site-map.js';
import { newPasswordProblem } from '../passwords/password-rules.js';
import { SignInMethods } from '../passwords/sign-in-methods.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { LinkPasswordForm, SignInLinkQuery } from './sign-in-link-forms.dto.js';
import { invalidLinkPage, linkPasswordPage, passwordSetPage } from './sign-in-link.views.js';
import { SignInLinksService } from './sign-in-links.service.js';

/**
 * The page of links that a start and `slipway user create` print, and that are mailed to users who forgot their
 * password: the user sets a password. After the first one the user is signed in. After a new one the user signs in with
 * it, and with the second factor if there is one.
 */
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
    const link = await this.links.find(token);
    if (link !== null) return linkPasswordPage(visit, { ...link, token });
    // The link in the terminal stays a way to the console.
    return isSignedIn(visit) ? { redirectTo: START_PATH } : invalidLinkPage();
  }

  @PostForm()
  @RateLimit('sign-in')
  async send(@CurrentVisit() visit: Visit, @Body() form: LinkPasswordForm): Promise<Page | Redirection> {
    this.methods.requireLocal();
    const { token } = form;
    const found = await this.links.find(token);
    if (found === null) return invalidLinkPage();
    const problem = await newPasswordProblem(form, found.user.email);
    if (problem !== null) return linkPasswordPage(visit, { ...found, token, failure: { message: problem } });
    const link = await this.links.redeem(token, form.password);
    if (link === null) return invalidLinkPage();
    if (link.purpose === 'new-password') return passwordSetPage();
    const session = await this.signIn.open(link.user, visit.origin, false);
    visit.setCookie(session.token);
    return { redirectTo: START_PATH };
  }
}
