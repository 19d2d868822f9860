import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { inFuture } from '../../database/database-time.js';
import { type FindOptionsWhere, Raw, type Repository } from 'typeorm';
import type { User } from '../../accounts/users/user.entity.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { databaseNow } from '../../common/database-clock.js';
import type { AccountPermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { isScoped, insufficientScope } from '../../common/access/token-scope.js';
import { ConflictError, errorOf } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { Config } from '../../config/config.js';
import { CountLimits } from '../../database/count-limits.js';
import { findOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { containsText, idContains } from '../../database/text-filters.js';
import { transaction } from '../../database/transactions/transaction.js';
import { MembersService } from '../members/members.service.js';
import { requireNotSuspended } from '../organization-access/restrictions.js';
import type {
  CreateInvitationDto,
  NewInvitation,
  ReceivedInvitation,
  ListInvitationsQuery,
} from './invitation.dto.js';
import { Invitation, INVITATIONS_PENDING_KEY, type InvitationStatus } from './invitation.entity.js';
import { InvitationLinksService } from './invitation-links.service.js';
import { InvitationMailsService } from './invitation-mails.service.js';
import { InvitationsQueries } from './invitations.queries.js';

/** How long an invitation can be accepted, in days. */
const VALID_DAYS = 7;

/** Errors of invitations that are not open any more: one that is pending has expired. */
const NO_LONGER_PENDING = {
  accepted: 'invitation_accepted',
  rejected: 'invitation_rejected',
  canceled: 'invitation_revoked',
  pending: 'invitation_expired',
} as const;

const inPast = Raw<Date>((column) => `${column} <= now()`);

@Injectable()
export class InvitationsService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly queries: InvitationsQueries,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly links: InvitationLinksService,
    private readonly mails: InvitationMailsService,
    private readonly limits: CountLimits,
    private readonly config: Config,
  ) {}

  /** The invitations of an organization, newest first. */
  list(organizationId: string, query: ListInvitationsQuery): Promise<Page<Invitation>> {
    const wanted: FindOptionsWhere<Invitation> = { organizationId };
    if (query.role !== undefined) wanted.role = query.role;
    if (query.status !== undefined) wanted.status = query.status;
    const where =
      query.query === undefined
        ? wanted
        : [
            { ...wanted, id: idContains(query.query) },
            { ...wanted, email: containsText(query.query) },
          ];
    return findPage(this.invitations, where, query, { createdAt: 'DESC' });
  }

  /**
   * The invitations that the caller can accept or reject, newest first.
   *
   * @throws ForbiddenError when the token is scoped to organizations or apps, which cannot include those that invite, or
   *   the caller's e-mail address is not verified
   */
  async listReceived(caller: Principal, query: PageQuery): Promise<Page<ReceivedInvitation>> {
    const email = await this.emailOf(caller, 'account:read');
    const where = { email, status: 'pending' as const, expiresAt: inFuture };
    const { items, total } = await findPage(this.invitations, where, query, { createdAt: 'DESC' });
    return { items: await this.queries.withOrganizations(items), total };
  }

  /**
   * Invites the user of an e-mail address, who may not exist yet. The invitation is mailed; where the server sends no mail,
   * it has a link for the caller to pass on.
   *
   * @throws ConflictError when the address belongs to a member or to another open invitation, the organization has as
   *   many open invitations as the server allows, or the caller has sent as many today
   */
  create(caller: Principal, organizationId: string, values: CreateInvitationDto): Promise<NewInvitation> {
    const { email, role } = values;
    return transaction(async () => {
      // The user cannot become a member between the check and the invitation.
      await this.members.lock(organizationId);
      if (await this.queries.isMember(organizationId, email)) throw errorOf('already_member');
      const expired = { organizationId, email, status: 'pending' as const, expiresAt: inPast };
      await this.invitations.update(expired, { status: 'canceled' });
      const open = { organizationId, status: 'pending' as const, expiresAt: inFuture };
      await this.limits.requireRoom(
        'pendingInvitationsPerOrganization',
        organizationId,
        this.invitations,
        open,
      );
      await this.count(caller);
      const invitation = await insertOrThrow(
        this.invitations,
        {
          organizationId,
          email,
          role,
          inviterId: caller.userId,
          expiresAt: databaseNow(VALID_DAYS * 24 * 60 * 60 * 1000),
        },
        { [INVITATIONS_PENDING_KEY]: () => errorOf('already_invited') },
      );
      await this.mails.send(invitation);
      const shown = this.links.enabled && !this.mails.areConfigured;
      return { invitation, linkPath: shown ? await this.links.create(invitation, false) : null };
    });
  }

  /**
   * Revokes an invitation. Does nothing when it is revoked already.
   *
   * @throws NotFoundError
   * @throws ConflictError when it was accepted or rejected
   */
  async revoke(organizationId: string, id: string): Promise<void> {
    const pending = { organizationId, id, status: 'pending' as const };
    const { affected } = await this.invitations.update(pending, { status: 'canceled' });
    if (affected !== 0) return;
    const invitation = await findOrThrow(this.invitations, { organizationId, id });
    if (invitation.status !== 'canceled') throw errorOf(NO_LONGER_PENDING[invitation.status]);
  }

  /**
   * Makes the caller a member of the organization.
   *
   * @throws ForbiddenError when the token is scoped to organizations or apps, or the caller's e-mail address is not
   *   verified; when the organization is suspended
   * @throws NotFoundError when the invitation is for another e-mail address
   * @throws ConflictError when it is no longer open
   */
  accept(caller: Principal, id: string): Promise<Invitation> {
    return this.respond(caller, id, 'accepted', (invitation) => this.addMember(invitation, caller.userId));
  }

  /**
   * Accepts for a user whom a link of the invitation has just created, and whose address need not be verified.
   *
   * @throws ForbiddenError when the organization is suspended
   * @throws ConflictError when the invitation is no longer open
   */
  async acceptFor({ id: userId, email }: User, id: string): Promise<void> {
    await this.close(id, email, 'accepted', (invitation) => this.addMember(invitation, userId));
  }

  /** Declines. Throws as `accept` does. */
  reject(caller: Principal, id: string): Promise<Invitation> {
    return this.respond(caller, id, 'rejected', () => Promise.resolve());
  }

  private async emailOf(caller: Principal, permission: AccountPermission): Promise<string> {
    if (isScoped(caller.limits)) throw insufficientScope(permission);
    return (await this.users.requireVerified(caller.userId)).email;
  }

  private async respond(
    caller: Principal,
    id: string,
    status: InvitationStatus,
    work: (invitation: Invitation) => Promise<void>,
  ): Promise<Invitation> {
    return this.close(id, await this.emailOf(caller, 'account:write'), status, work);
  }

  /** Ends an open invitation of an address, with work in the same transaction. */
  private close(
    id: string,
    email: string,
    status: InvitationStatus,
    work: (invitation: Invitation) => Promise<void>,
  ): Promise<Invitation> {
    return transaction(async () => {
      const { organizationId } = await findOrThrow(this.invitations, { id, email });
      const suspension = await this.members.lock(organizationId);
      // Those who are invited may decline nevertheless.
      if (status === 'accepted') requireNotSuspended(suspension);
      const open = { organizationId, id, email, status: 'pending' as const, expiresAt: inFuture };
      const { affected } = await this.invitations.update(open, { status });
      const invitation = await findOrThrow(this.invitations, { organizationId, id, email });
      if (affected === 0) throw errorOf(NO_LONGER_PENDING[invitation.status]);
      await work(invitation);
      return invitation;
    });
  }

  private async addMember({ organizationId, role }: Invitation, userId: string): Promise<void> {
    await this.members.create(organizationId, userId, role);
  }

  /** Counts an invitation that the caller sends. Revoked ones count, too: their mails may have been sent. */
  private async count({ userId }: Principal): Promise<void> {
    const { maxInvitationsPerUserAndDay: max } = this.config.organizations;
    if (max === 0 || (await this.queries.count(userId, max))) return;
    const message = `A user can send at most ${max} invitations a day (UTC): wait, or ask the operator to raise MAX_INVITATIONS_PER_USER_AND_DAY.`;
    throw new ConflictError(message, 'limit_reached');
  }
}
