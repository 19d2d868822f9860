import { Body } from '@nestjs/common';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { transaction } from '../../database/transactions/transaction.js';
import { AccountMailsService } from '../account-mails/account-mails.service.js';
import { newPasswordProblem } from './password-rules.js';
import { PasswordsService } from './passwords.service.js';
import { failureOf } from '../sign-in-attempts/proof.js';
import { PasswordForm } from './password-forms.dto.js';
import { PasswordProofs } from './password-proofs.service.js';
import { CurrentVisit, type Page, SignedInVisit } from '../../pages/views/page.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { notLocalPage, passwordPage } from './password.views.js';
import { SignedIn } from '../../pages/requests/signed-in.decorator.js';
import { SignInMethods } from './sign-in-methods.js';

/** The page on which users change their password. */
@OwnTransactions()
@SignedIn()
@PageController('settings/password')
export class PasswordPageController {
  constructor(
    private readonly proofs: PasswordProofs,
    private readonly passwords: PasswordsService,
    private readonly methods: SignInMethods,
    private readonly mails: AccountMailsService,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Page> {
    const reason = await this.methods.whyNotLocal(visit.userId);
    return reason === null ? passwordPage(visit) : notLocalPage('Password', reason);
  }

  /** Changes the password and ends all other sessions of the visitor. */
  @PostForm()
  async send(@CurrentVisit() visit: SignedInVisit, @Body() form: PasswordForm): Promise<Page> {
    await this.methods.requireLocalFor(visit.userId);
    const problem = await newPasswordProblem(form, visit.email);
    if (problem !== null) return passwordPage(visit, { failure: { message: problem } });
    const proof = await this.proofs.verifyPassword(visit.email, form.current, visit.origin);
    if (proof.result !== 'proven') {
      return passwordPage(visit, { failure: failureOf(proof, 'The current password is wrong.') });
    }
    await transaction(async () => {
      const prepared = await this.passwords.prepare(form.password, visit.email);
      await this.passwords.set(visit.userId, prepared, visit.sessionId);
      await this.mails.send(visit.userId, 'password-changed');
    });
    return passwordPage(visit, { changed: true });
  }
}
