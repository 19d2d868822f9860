import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import { UsersService } from '../../accounts/users/users.service.js';
import { type Role, roleGrants, type RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import {
  ConflictError,
  ForbiddenError,
  invalidField,
  NotFoundError,
  UnauthenticatedError,
  errorOf,
} from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import { deleteOrThrow, findOrThrow, findPage, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { idContains } from '../../database/text-filters.js';
import { transaction } from '../../database/transactions/transaction.js';
import { isLastOwner, requireOwner } from './last-owner.js';
import type { ListMembersQuery } from './member.dto.js';
import { MemberEvents } from './member-events.service.js';
import { Member, MEMBERS_USER_KEY } from './member.entity.js';
import { emailContains, type Membership, MembersQueries, type Suspension } from './members.queries.js';

const violations = {
  [MEMBERS_USER_KEY]: () => errorOf('already_member'),
};

/** The members of organizations. Every change that could remove the last owner runs under `MembersQueries.lock`. */
@Injectable()
export class MembersService {
  constructor(
    @InjectRepository(Member) private readonly members: Repository<Member>,
    private readonly queries: MembersQueries,
    private readonly users: UsersService,
    private readonly events: MemberEvents,
  ) {}

  /** The membership of a user in an organization; `null`: not a member. */
  async membershipOf(userId: string, organizationId: string): Promise<Membership | null> {
    return (await this.queries.memberships(userId, organizationId))[0] ?? null;
  }

  listOf(userId: string): Promise<Membership[]> {
    return this.queries.memberships(userId);
  }

  /** As `MembersQueries.lock`. @throws NotFoundError */
  lock(organizationId: string): Promise<Suspension> {
    return this.queries.lock(organizationId);
  }

  /** Records that a member uses the organization now. */
  recordSeen(memberId: string): Promise<void> {
    return this.queries.recordSeen(memberId);
  }

  /** The members of an organization, oldest first. */
  list(organizationId: string, query: ListMembersQuery): Promise<Page<Member>> {
    const wanted: FindOptionsWhere<Member> = { organizationId };
    if (query.role !== undefined) wanted.role = query.role;
    if (query.id !== undefined) wanted.id = query.id;
    const where = query.query === undefined ? wanted : matching(wanted, query.query);
    return findPage(this.members, where, query, { createdAt: 'ASC' });
  }

  /** @throws NotFoundError */
  get(organizationId: string, id: string): Promise<Member> {
    return findOrThrow(this.members, { organizationId, id });
  }

  /** Those that exist, in any order. */
  getMany(ids: readonly string[]): Promise<Member[]> {
    return this.members.findBy({ id: In(ids) });
  }

  /**
   * How many organizations a user owns. Locks the user, so that the number stays true until the transaction ends.
   *
   * @throws UnauthenticatedError when the user has just been disabled
   */
  async lockAndCountOwned(userId: string): Promise<number> {
    if (!(await this.users.lockIfEnabled(userId))) {
      throw new UnauthenticatedError('The token is not valid.', true);
    }
    return this.queries.countOwned(userId);
  }

  /** @throws ConflictError when the user is a member already */
  create(organizationId: string, userId: string, role: Role): Promise<Member> {
    return transaction(async () => {
      const member = await insertOrThrow(this.members, { organizationId, userId, role }, violations);
      await this.events.added(member);
      return member;
    });
  }

  /**
   * Changes the role of a member.
   *
   * @throws NotFoundError
   * @throws ForbiddenError when the old or new role is `owner` and the caller is not an owner
   * @throws ConflictError when no owner would remain
   */
  update(caller: Principal, organizationId: string, id: string, role: Role): Promise<Member> {
    return this.change(caller, organizationId, 'members:write', async (actor) => {
      const member = await findOrThrow(this.members, { organizationId, id });
      if (role === 'owner' || member.role === 'owner') requireOwner(actor);
      if (role !== 'owner') await this.requireAnotherOwner(member);
      const updated = await updateOrThrow(this.members, { organizationId, id }, { role });
      await this.events.updated(updated, member.role);
      return updated;
    });
  }

  /**
   * Removes a member, also from teams.
   *
   * @throws NotFoundError
   * @throws ForbiddenError when the member is an owner and the caller is not
   * @throws ConflictError when no owner would remain
   */
  async delete(caller: Principal, organizationId: string, id: string): Promise<void> {
    await this.change(caller, organizationId, 'members:write', async (actor) => {
      const member = await findOrThrow(this.members, { organizationId, id });
      if (member.role === 'owner') requireOwner(actor);
      return this.remove(member);
    });
  }

  /** Removes the caller. @throws ConflictError when no owner would remain */
  async leave(caller: Principal, organizationId: string): Promise<void> {
    await this.change(caller, organizationId, 'membership:write', (actor) => this.remove(actor));
  }

  /**
   * Makes another member an owner, and the caller, an owner until now, an admin.
   *
   * @returns the new owner
   * @throws NotFoundError
   * @throws ConflictError when the other member is disabled, and no owner would remain
   */
  transferOwnership(caller: Principal, organizationId: string, memberId: string): Promise<Member> {
    return this.change(caller, organizationId, 'ownership:write', async (actor) => {
      if (actor.id === memberId) throw invalidField('memberId', 'memberId must be that of another member.');
      const { role } = await findOrThrow(this.members, { organizationId, id: memberId });
      const newOwner = await updateOrThrow(this.members, { organizationId, id: memberId }, { role: 'owner' });
      if (await isLastOwner(this.queries, actor)) {
        throw new ConflictError('This user is disabled: choose another member.', 'last_owner');
      }
      const formerOwner = await updateOrThrow(
        this.members,
        { organizationId, id: actor.id },
        { role: 'admin' },
      );
      await this.events.updated(newOwner, role);
      await this.events.updated(formerOwner, actor.role);
      return newOwner;
    });
  }

  /**
   * Runs a change under the lock of the members. Checks the permission of the caller again, who may have lost it in the
   * meantime.
   */
  private change(
    caller: Principal,
    organizationId: string,
    permission: RolePermission,
    work: (actor: Member) => Promise<Member>,
  ): Promise<Member> {
    return transaction(async () => {
      await this.queries.lock(organizationId);
      const actor = await this.members.findOneBy({ organizationId, userId: caller.userId });
      if (actor === null) throw new NotFoundError('Organization');
      if (!roleGrants(actor.role, permission)) throw new ForbiddenError();
      return work(actor);
    });
  }

  private async remove(member: Member): Promise<Member> {
    await this.requireAnotherOwner(member);
    await deleteOrThrow(this.members, { organizationId: member.organizationId, id: member.id });
    await this.events.removed(member);
    return member;
  }

  private async requireAnotherOwner(member: Member): Promise<void> {
    if (!(await isLastOwner(this.queries, member))) return;
    throw errorOf('last_owner');
  }
}

/** Narrows the filter to members whose ids or e-mail address contain the text. */
function matching(wanted: FindOptionsWhere<Member>, text: string): FindOptionsWhere<Member>[] {
  const byId = wanted.id === undefined || String(wanted.id).includes(text.toLowerCase());
  return [
    ...(byId ? [{ ...wanted, id: wanted.id ?? idContains(text) }] : []),
    { ...wanted, userId: idContains(text) },
    { ...wanted, userId: emailContains(text) },
  ];
}
