import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { GroupSignIns } from '../../accounts/oidc/group-sign-ins.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import type { Role } from '../../common/access/permissions.js';
import { insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { isLastOwner } from './last-owner.js';
import { MemberEvents } from './member-events.service.js';
import { Member } from './member.entity.js';
import { MembersQueries } from './members.queries.js';

/** Creates and removes the memberships that groups of the OpenID provider grant. */
@Injectable()
export class GroupMembershipsService implements OnModuleInit {
  private readonly logger = new Logger(GroupMembershipsService.name);

  constructor(
    @InjectRepository(Member) private readonly members: Repository<Member>,
    private readonly queries: MembersQueries,
    private readonly groups: GroupSignIns,
    private readonly events: MemberEvents,
  ) {}

  onModuleInit(): void {
    this.groups.signedIn.register((userId, roles) => this.apply(userId, roles));
  }

  /**
   * Makes a user a member of these organizations, in these roles, and ends memberships from groups that the user has
   * left. Locks organizations in the order of their ids, so that two sign-ins do not deadlock.
   */
  private async apply(userId: string, roles: ReadonlyMap<string, Role>): Promise<void> {
    const members = this.members;
    const before = await members.findBy({ userId, fromGroups: true });
    const organizationIds = new Set([...roles.keys(), ...before.map(({ organizationId }) => organizationId)]);
    for (const organizationId of [...organizationIds].sort()) {
      if (await this.lock(organizationId)) {
        await this.applyTo(members, organizationId, userId, roles.get(organizationId));
      }
    }
  }

  /** @returns `false` when the organization does not exist */
  private async lock(organizationId: string): Promise<boolean> {
    try {
      await this.queries.lock(organizationId);
      return true;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      this.logger.warn({ organizationId }, 'OIDC_GROUP_ROLES names an organization that does not exist');
      return false;
    }
  }

  private async applyTo(
    members: Repository<Member>,
    organizationId: string,
    userId: string,
    role: Role | undefined,
  ): Promise<void> {
    const member = await members.findOneBy({ organizationId, userId });
    if (member === null) {
      if (role !== undefined) {
        const values = { organizationId, userId, role, fromGroups: true };
        await this.events.added(await insertOrThrow(members, values));
      }
      return;
    }
    // A membership that was not created by a group does not end with one.
    if (role === member.role || (role === undefined && !member.fromGroups)) return;
    if (await isLastOwner(this.queries, member)) {
      this.logger.warn({ organizationId, userId }, 'The last owner keeps the role that groups do not give');
      return;
    }
    const { id } = member;
    if (role === undefined) {
      await members.delete({ id });
      await this.events.removed(member);
    } else {
      await this.events.updated(await updateOrThrow(members, { id }, { role }), member.role);
    }
  }
}
