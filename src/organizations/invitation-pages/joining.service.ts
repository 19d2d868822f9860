import { Injectable } from '@nestjs/common';
import { AccountMailsService } from '../../accounts/account-mails/account-mails.service.js';
import { PasswordsService } from '../../accounts/passwords/passwords.service.js';
import type { User } from '../../accounts/users/user.entity.js';
import { UsersService } from '../../accounts/users/users.service.js';
import type { Principal } from '../../common/access/principal.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { InvitationLinksService } from '../invitations/invitation-links.service.js';
import type { LinkedInvitation } from '../invitations/invitations.queries.js';
import { InvitationsService } from '../invitations/invitations.service.js';

/** How a person joins who sends a password with the link of an invitation. */
export type Joining =
  | { readonly result: 'joined'; readonly user: User; readonly invitation: LinkedInvitation }
  | { readonly result: 'has-account'; readonly invitation: LinkedInvitation }
  | { readonly result: 'invalid-link' };

/** Makes people members by the links of their invitations. */
@Injectable()
export class JoiningService {
  constructor(
    private readonly links: InvitationLinksService,
    private readonly invitations: InvitationsService,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly mails: AccountMailsService,
  ) {}

  /**
   * Creates the account of the invited address and accepts the invitation, which ends its links. Never changes an
   * account that exists, also one with an address that is not verified. Takes about as long either way.
   *
   * @param secret from the link
   * @throws InvalidRequestError when the password breaks the rules
   * @throws ConflictError when the invitation has ended in the meantime
   */
  async join(secret: string, password: string): Promise<Joining> {
    const linked = await this.links.find(secret);
    if (linked === null) return { result: 'invalid-link' };
    // Before the transaction, which should be short.
    const prepared = await this.passwords.prepare(password, linked.email);
    return transaction(async () => {
      await this.users.lockEmail(linked.email);
      // Another request with the link may have been first.
      const invitation = await this.links.find(secret);
      if (invitation === null) return { result: 'invalid-link' };
      const { id, email, mailed } = invitation;
      const existing = await this.users.findByEmail(email);
      if (existing !== null) {
        if (mailed) await this.mails.send(existing.id, 'invitation');
        return { result: 'has-account', invitation };
      }
      const user = await this.users.create(email, mailed);
      await this.passwords.setFirst(user.id, prepared);
      await this.invitations.acceptFor(user, id);
      return { result: 'joined', user, invitation };
    });
  }

  /**
   * Whether the user can accept the invitation, and does not have to verify the address before.
   *
   * @param user who has signed in
   */
  canDecide({ email, emailVerified }: User, invitation: LinkedInvitation): boolean {
    return email === invitation.email && (emailVerified || invitation.mailed);
  }

  /**
   * Accepts or declines as a user who has signed in. With a link that was mailed, the user has proved both the account and
   * the mailbox, so the address is verified.
   *
   * @throws NotFoundError when the link does not work, or is for another address
   * @throws ForbiddenError when the address is not verified, and the link was not mailed
   * @throws ConflictError when the invitation is no longer open
   */
  async decide(caller: Principal, secret: string, decision: 'accept' | 'decline'): Promise<LinkedInvitation> {
    return transaction(async () => {
      const invitation = await this.links.find(secret);
      const user = await this.users.get(caller.userId);
      if (invitation?.email !== user.email) throw new NotFoundError('Invitation');
      if (!user.emailVerified && invitation.mailed) await this.users.confirmEmail(user.id);
      await this.invitations[decision === 'accept' ? 'accept' : 'reject'](caller, invitation.id);
      return invitation;
    });
  }
}
