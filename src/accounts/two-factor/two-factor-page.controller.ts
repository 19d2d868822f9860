import { Body, Query } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { AccountMailsService } from '../account-mails/account-mails.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { ConfirmForm } from '../passwords/password-forms.dto.js';
import { PasswordProofs } from '../passwords/password-proofs.service.js';
import { failureOf } from '../sign-in-attempts/proof.js';
import { generateTotpSecret } from './totp.js';
import { TwoFactorService } from './two-factor.service.js';
import { UsersService } from '../users/users.service.js';
import type { Failure } from '../../pages/views/failure.js';
import { EnrolForm, TwoFactorQuery } from './two-factor-form.dto.js';
import { CurrentVisit, type Page, type Redirection, SignedInVisit } from '../../pages/views/page.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { notLocalPage } from '../passwords/password.views.js';
import { requireConfirmed } from '../../pages/requests/page-errors.js';
import { SignedIn } from '../../pages/requests/signed-in.decorator.js';
import { enabledPage, enrolPage, recoveryCodesPage, TITLE } from './two-factor.views.js';
import { SignInMethods } from '../passwords/sign-in-methods.js';

/** The page on which users turn two-factor authentication on and off. */
@OwnTransactions()
@SignedIn()
@PageController('settings/two-factor')
export class TwoFactorPageController {
  constructor(
    private readonly twoFactor: TwoFactorService,
    private readonly users: UsersService,
    private readonly proofs: PasswordProofs,
    private readonly box: SecretBox,
    private readonly sessions: SessionsService,
    private readonly methods: SignInMethods,
    private readonly mails: AccountMailsService,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit, @Query() { required }: TwoFactorQuery): Promise<Page> {
    const reason = await this.methods.whyNotLocal(visit.userId);
    if (reason !== null)
      return notLocalPage(TITLE, `${reason} A second factor is a matter of its own there.`);
    const { twoFactorEnabled } = await this.users.get(visit.userId);
    if (twoFactorEnabled) return this.enabled(visit);
    requireConfirmed(visit, '/settings/two-factor');
    return this.enrol(visit, generateTotpSecret(), { required: required === 'yes' });
  }

  /** The form contains the secret, sealed for this visitor: nothing is stored before the user confirms it. */
  @PostForm('enable')
  async enable(@CurrentVisit() visit: SignedInVisit, @Body() form: EnrolForm): Promise<Page | Redirection> {
    await this.methods.requireLocalFor(visit.userId);
    requireConfirmed(visit, '/settings/two-factor');
    let secret: string;
    try {
      secret = this.box.open(form.sealed, contextOf(visit));
    } catch {
      return { redirectTo: '/settings/two-factor' };
    }
    const codes = await this.twoFactor.enable(visit.userId, secret, form.code);
    if (codes !== null) {
      await this.sessions.recordSecondFactor(visit.sessionId);
      await this.mails.send(visit.userId, 'two-factor-enabled');
      return recoveryCodesPage('Two-factor authentication is on.', codes);
    }
    const failure = { message: 'The code is wrong. Try the one that your app shows now.' };
    return this.enrol(visit, secret, { failure });
  }

  @PostForm('recovery-codes')
  async renewCodes(@CurrentVisit() visit: SignedInVisit, @Body() form: ConfirmForm): Promise<Page> {
    const failure = await this.confirm(visit, form);
    if (failure !== null) return this.enabled(visit, failure);
    const codes = await this.twoFactor.renewRecoveryCodes(visit.userId);
    await this.mails.send(visit.userId, 'recovery-codes-renewed');
    return recoveryCodesPage('The old recovery codes are not valid any more.', codes);
  }

  @PostForm('disable')
  async disable(
    @CurrentVisit() visit: SignedInVisit,
    @Body() form: ConfirmForm,
  ): Promise<Page | Redirection> {
    const failure = await this.confirm(visit, form);
    if (failure !== null) return this.enabled(visit, failure);
    await this.twoFactor.disable(visit.userId);
    await this.mails.send(visit.userId, 'two-factor-disabled');
    return { redirectTo: '/settings/two-factor' };
  }

  private async confirm(visit: SignedInVisit, { password }: ConfirmForm): Promise<Failure | null> {
    await this.methods.requireLocalFor(visit.userId);
    const proof = await this.proofs.verifyPassword(visit.email, password, visit.origin);
    return proof.result === 'proven' ? null : failureOf(proof, 'The password is wrong.');
  }

  private async enabled(visit: SignedInVisit, failure?: Failure): Promise<Page> {
    return enabledPage(visit, await this.twoFactor.countRecoveryCodes(visit.userId), failure);
  }

  private enrol(
    visit: SignedInVisit,
    secret: string,
    why: { readonly failure?: Failure; readonly required?: boolean },
  ): Page {
    return enrolPage(visit, { secret, sealed: this.box.seal(secret, contextOf(visit)), ...why });
  }
}

function contextOf(visit: SignedInVisit): string {
  return `enrol:${visit.userId}`;
}
