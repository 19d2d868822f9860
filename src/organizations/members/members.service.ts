import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, type Repository } from 'typeorm';
import { type Role, roleGrants, type RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { ConflictError, ForbiddenError, invalidField, NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import { deleteOrThrow, findOrThrow, findPage, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { idContains } from '../../database/text-filters.js';
import { transaction } from '../../database/transaction.js';
import { isLastOwner } from './last-owner.js';
import type { ListMembersQuery } from './list-members-query.dto.js';
import type { MemberWithUser } from './member.dto.js';
import { Member, MEMBERS_USER_KEY } from './member.entity.js';
import { emailContains, lockMembership, type Membership, MembersQueries } from './members.queries.js';

const violations = {
  [MEMBERS_USER_KEY]: () =>
    new ConflictError('This user is a member of the organization already.', 'already_member'),
};

/**
 * Who is in an organization. Every change that could take its last owner away happens under one lock, see
 * `lockMembership`.
 */
@Injectable()
export class MembersService {
  constructor(
    @InjectRepository(Member) private readonly members: Repository<Member>,
    private readonly queries: MembersQueries,
  ) {}

  /** What a user is in an organization; `null` when it is no member. */
  async membershipOf(userId: string, organizationId: string): Promise<Membership | null> {
    return (await this.queries.memberships(userId, organizationId))[0] ?? null;
  }

  /** What a user is in the organizations that it is a member of. */
  listOf(userId: string): Promise<Membership[]> {
    return this.queries.memberships(userId);
  }

  /** Notes that a member is there. */
  recordSeen(memberId: string): Promise<void> {
    return this.queries.recordSeen(memberId);
  }

  /** The members of an organization, those who joined first first. */
  async list(organizationId: string, query: ListMembersQuery): Promise<Page<MemberWithUser>> {
    const wanted: FindOptionsWhere<Member> = { organizationId };
    if (query.role !== undefined) wanted.role = query.role;
    if (query.id !== undefined) wanted.id = query.id;
    const where = query.query === undefined ? wanted : matching(wanted, query.query);
    const { items, total } = await findPage(this.members, where, query, { createdAt: 'ASC' });
    return { items: await this.queries.withUsers(items), total };
  }

  /** @throws NotFoundError */
  get(organizationId: string, id: string): Promise<Member> {
    return findOrThrow(this.members, { organizationId, id });
  }

  /** @throws ConflictError when the user is a member already */
  create(organizationId: string, userId: string, role: Role): Promise<Member> {
    const values = { organizationId, userId, role };
    return insertOrThrow(this.members, values, violations);
  }

  /**
   * Gives a member another role.
   *
   * @throws NotFoundError
   * @throws ForbiddenError when the role is or was `owner` and the caller is no owner
   * @throws ConflictError when no owner would remain
   */
  update(caller: Principal, organizationId: string, id: string, role: Role): Promise<MemberWithUser> {
    return this.change(caller, organizationId, 'members:write', async (members, actor) => {
      const member = await findOrThrow(members, { organizationId, id });
      if (role === 'owner' || member.role === 'owner') requireOwner(actor);
      if (role !== 'owner') await requireAnotherOwner(members, member);
      return updateOrThrow(members, { organizationId, id }, { role });
    });
  }

  /**
   * Ends a membership, and with it the member's places in teams.
   *
   * @throws NotFoundError
   * @throws ForbiddenError when the member is an owner and the caller is none
   * @throws ConflictError when no owner would remain
   */
  async delete(caller: Principal, organizationId: string, id: string): Promise<void> {
    await this.change(caller, organizationId, 'members:write', async (members, actor) => {
      const member = await findOrThrow(members, { organizationId, id });
      if (member.role === 'owner') requireOwner(actor);
      return remove(members, member);
    });
  }

  /** Ends the caller's own membership. @throws ConflictError when no owner would remain */
  async leave(caller: Principal, organizationId: string): Promise<void> {
    await this.change(caller, organizationId, 'membership:write', remove);
  }

  /**
   * Makes another member an owner and the caller, who is one, an admin.
   *
   * @returns the new owner
   * @throws NotFoundError
   */
  transferOwnership(caller: Principal, organizationId: string, memberId: string): Promise<MemberWithUser> {
    return this.change(caller, organizationId, 'ownership:write', async (members, actor) => {
      if (actor.id === memberId) throw invalidField('memberId', 'memberId must be that of another member.');
      const newOwner = await updateOrThrow(members, { organizationId, id: memberId }, { role: 'owner' });
      await members.update({ organizationId, id: actor.id }, { role: 'admin' });
      return newOwner;
    });
  }

  /** Runs a change under the lock. The caller's permission may have gone while it waited, so it is asked again. */
  private async change(
    caller: Principal,
    organizationId: string,
    permission: RolePermission,
    work: (members: Repository<Member>, actor: Member) => Promise<Member>,
  ): Promise<MemberWithUser> {
    const member = await transaction(async () => {
      await lockMembership(organizationId);
      const members = this.members;
      const actor = await members.findOneBy({ organizationId, userId: caller.userId });
      if (actor === null) throw new NotFoundError('Organization');
      if (!roleGrants(actor.role, permission)) throw new ForbiddenError();
      return work(members, actor);
    });
    const [shown] = await this.queries.withUsers([member]);
    return shown as MemberWithUser;
  }
}

/** The search text must stand in one of the ids or the e-mail address, besides all that is asked for already. */
function matching(wanted: FindOptionsWhere<Member>, text: string): FindOptionsWhere<Member>[] {
  const byId = wanted.id === undefined || String(wanted.id).includes(text.toLowerCase());
  return [
    ...(byId ? [{ ...wanted, id: wanted.id ?? idContains(text) }] : []),
    { ...wanted, userId: idContains(text) },
    { ...wanted, userId: emailContains(text) },
  ];
}

function requireOwner(actor: Member): void {
  if (actor.role !== 'owner') {
    throw new ForbiddenError('Only owners may make, change or remove owners.', 'owner_required');
  }
}

async function requireAnotherOwner(members: Repository<Member>, member: Member): Promise<void> {
  if (!(await isLastOwner(members, member))) return;
  throw new ConflictError(
    'This is the last owner of the organization: make somebody else an owner first.',
    'last_owner',
  );
}

async function remove(members: Repository<Member>, member: Member): Promise<Member> {
  await requireAnotherOwner(members, member);
  await deleteOrThrow(members, { organizationId: member.organizationId, id: member.id });
  return member;
}
