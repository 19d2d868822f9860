import { Body } from '@nestjs/common';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { SessionCodesService } from './session-codes.service.js';
import { parseUserCode } from './user-code.js';
import { AttemptsService } from '../sign-in-attempts/attempts.service.js';
import { askForCodePage, confirmCodePage, decidedPage, outdatedCliPage } from './device.views.js';
import { DeviceForm } from './session-code.dto.js';
import { isOutdatedCli } from './outdated-cli.js';
import { CurrentVisit, type Page, SignedInVisit } from '../../pages/views/page.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { SignedIn } from '../../pages/requests/signed-in.decorator.js';

/** Wrong codes that a user can enter before each one delays the next. */
const FREE_MISTAKES = 5;

/** The page on which users approve the sign-in of a program that shows a code. */
@OwnTransactions()
@SignedIn()
@PageController('login/device')
export class DeviceController {
  constructor(
    private readonly codes: SessionCodesService,
    private readonly attempts: AttemptsService,
  ) {}

  @GetPage()
  show(@CurrentVisit() visit: SignedInVisit): Page {
    return askForCodePage(visit);
  }

  /** Codes are short, so wrong ones are counted: guessing must not approve the code of another user. */
  @PostForm()
  @RateLimit('sign-in')
  async send(@CurrentVisit() visit: SignedInVisit, @Body() form: DeviceForm): Promise<Page> {
    const code = parseUserCode(form.code);
    if (code === null) {
      return askForCodePage(visit, { message: 'A code has eight letters, such as BCDF-GHJK.' }, form.code);
    }
    const key = ['session code', visit.userId];
    const permit = await this.attempts.take(key, FREE_MISTAKES);
    if (!permit.allowed) return askForCodePage(visit, permit, form.code);
    const found = await this.codes.findPending(code);
    if (found === null) {
      const message = 'This code is not known, has expired or was used already. Check it, or start again.';
      return askForCodePage(visit, { message }, form.code);
    }
    await this.attempts.release(key);
    if (isOutdatedCli(found.userAgent)) {
      // An approved one would print that its token is invalid. A denied one ends at once, and prints why.
      await this.codes.decide(found.id, visit, 'denied');
      return outdatedCliPage(found);
    }
    if (form.decision !== 'approve' && form.decision !== 'deny') return confirmCodePage(visit, found);
    const decision = form.decision === 'approve' ? 'approved' : 'denied';
    if (!(await this.codes.decide(found.id, visit, decision))) {
      return askForCodePage(visit, { message: 'This code has just expired or was used. Start again.' });
    }
    return decidedPage(decision);
  }
}
