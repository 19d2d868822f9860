import { Body } from '@nestjs/common';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { MailerService } from '../../mail/mailer.service.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { CurrentVisit, type Page, Visit } from '../../pages/views/page.js';
import { SignInMethods } from '../passwords/sign-in-methods.js';
import { ForgotForm } from './forgot-form.dto.js';
import { forgotPage, linkRequestedPage } from './forgot.views.js';
import { NewPasswordMails } from './new-password-mails.service.js';

/** The page for users who forgot their password. */
@OwnTransactions()
@PageController('login/forgot')
export class ForgotController {
  constructor(
    private readonly methods: SignInMethods,
    private readonly mailer: MailerService,
    private readonly mails: NewPasswordMails,
  ) {}

  @GetPage()
  show(@CurrentVisit() visit: Visit): Page {
    this.methods.requireLocal();
    return this.page(visit);
  }

  /** Mails a link. The response is the same, and takes as long, whether or not there is such a user. */
  @PostForm()
  @RateLimit('sign-in')
  async send(@CurrentVisit() visit: Visit, @Body() { email }: ForgotForm): Promise<Page> {
    this.methods.requireLocal();
    if (!this.mailer.isConfigured) return this.page(visit);
    await this.mails.request(email);
    return linkRequestedPage();
  }

  private page(visit: Visit): Page {
    return forgotPage(visit, { mail: this.mailer.isConfigured, provider: this.methods.provider });
  }
}
