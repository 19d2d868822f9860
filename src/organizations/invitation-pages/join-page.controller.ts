import { Body, Query } from '@nestjs/common';
import { newPasswordProblem } from '../../accounts/passwords/password-rules.js';
import { SignInMethods } from '../../accounts/passwords/sign-in-methods.js';
import { SignInService } from '../../accounts/sign-in/sign-in.service.js';
import { REQUIRED_PATH } from '../../accounts/two-factor/two-factor.views.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import type { Failure } from '../../pages/views/failure.js';
import {
  CurrentVisit,
  isSignedIn,
  type Page,
  principalOf,
  type Redirection,
  SignedInVisit,
  Visit,
} from '../../pages/views/page.js';
import { START_PATH } from '../../pages/views/site-map.js';
import { INVITATION_LINK_PATH, InvitationLinksService } from '../invitations/invitation-links.service.js';
import type { LinkedInvitation } from '../invitations/invitations.queries.js';
import { satisfiesTwoFactor } from '../organization-access/two-factor.js';
import { JoinDecisionForm, JoinForm, JoinQuery } from './join-form.dto.js';
import { decisionPage, hasAccountPage, invalidLinkPage, joinPage, otherAccountPage } from './join.views.js';
import { JoiningService } from './joining.service.js';

/** The page that the link of an invitation leads to: people without an account create one, and others sign in. */
@OwnTransactions()
@PageController('join')
export class JoinPageController {
  constructor(
    private readonly links: InvitationLinksService,
    private readonly joining: JoiningService,
    private readonly methods: SignInMethods,
    private readonly signIn: SignInService,
    private readonly users: UsersService,
  ) {}

  @GetPage()
  show(@CurrentVisit() visit: Visit, @Query() { token }: JoinQuery): Promise<Page> {
    return this.pageOf(visit, token);
  }

  /** Creates the account, signs it in and accepts. For an address with an account, only explains how to sign in. */
  @PostForm()
  @RateLimit('sign-in')
  async send(@CurrentVisit() visit: Visit, @Body() form: JoinForm): Promise<Page | Redirection> {
    // Passwords are off, or links create no accounts any more; or the visitor has signed in meanwhile.
    if (!this.links.enabled || isSignedIn(visit)) return this.pageOf(visit, form.token);
    const invitation = await this.links.find(form.token);
    if (invitation === null) return invalidLinkPage();
    const problem = await newPasswordProblem(form, invitation.email);
    if (problem !== null) return this.pageOf(visit, form.token, { message: problem });
    const joining = await this.joining.join(form.token, form.password);
    if (joining.result === 'invalid-link') return invalidLinkPage();
    if (joining.result === 'has-account') return hasAccountPage(joining.invitation);
    const session = await this.signIn.open(joining.user, visit.origin, false);
    visit.setCookie(session.token);
    return { redirectTo: joining.invitation.twoFactorRequired ? REQUIRED_PATH : START_PATH };
  }

  /** Accepts or declines as the user who has signed in. */
  @PostForm('decision')
  async decide(
    @CurrentVisit() visit: Visit,
    @Body() { token, decision }: JoinDecisionForm,
  ): Promise<Redirection> {
    if (!isSignedIn(visit)) return backTo(token);
    const invitation = await this.joining.decide(principalOf(visit), token, decision);
    const lacksFactor = decision === 'accept' && (await this.lacksSecondFactor(visit, invitation));
    return { redirectTo: lacksFactor ? REQUIRED_PATH : START_PATH };
  }

  private async lacksSecondFactor(
    { userId, secondFactorAt, method }: SignedInVisit,
    { twoFactorRequired }: LinkedInvitation,
  ): Promise<boolean> {
    const { twoFactorEnabled: totpEnabled } = await this.users.get(userId);
    return twoFactorRequired && !satisfiesTwoFactor({ totpEnabled, secondFactorAt, method });
  }

  /** What a visitor with the link sees. Nothing in it depends on whether the address has an account. */
  private async pageOf(visit: Visit, token: string, failure?: Failure): Promise<Page> {
    const invitation = await this.links.find(token);
    if (invitation === null) return invalidLinkPage();
    const linked = { invitation, token };
    if (!isSignedIn(visit)) {
      const { provider } = this.methods;
      return joinPage(visit, linked, { createsAccounts: this.links.enabled, provider, failure });
    }
    if (visit.email !== invitation.email) return otherAccountPage(visit, linked);
    const user = await this.users.get(visit.userId);
    return decisionPage(visit, linked, this.joining.canDecide(user, invitation));
  }
}

function backTo(token: string): Redirection {
  return { redirectTo: `${INVITATION_LINK_PATH}?token=${encodeURIComponent(token)}` };
}
