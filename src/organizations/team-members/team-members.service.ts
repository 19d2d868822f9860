import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ConflictError, NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { deleteOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { MembersService } from '../members/members.service.js';
import {
  TEAM_MEMBERS_MEMBER_FKEY,
  TEAM_MEMBERS_MEMBER_KEY,
  TEAM_MEMBERS_TEAM_FKEY,
  TeamMember,
} from './team-member.entity.js';
import { TeamsService } from '../teams/teams.service.js';

const violations = {
  [TEAM_MEMBERS_MEMBER_KEY]: () =>
    new ConflictError('The member is in this team already.', 'member_already_in_team'),
  [TEAM_MEMBERS_TEAM_FKEY]: () => new NotFoundError('Team'),
  [TEAM_MEMBERS_MEMBER_FKEY]: () => new NotFoundError('Member'),
};

@Injectable()
export class TeamMembersService {
  constructor(
    @InjectRepository(TeamMember) private readonly teamMembers: Repository<TeamMember>,
    private readonly teams: TeamsService,
    private readonly members: MembersService,
  ) {}

  /** The members of a team, first added first. @throws NotFoundError */
  async list(organizationId: string, teamId: string, query: PageQuery): Promise<Page<TeamMember>> {
    const team = await this.teams.get(organizationId, teamId);
    return findPage(this.teamMembers, { teamId: team.id }, query, { createdAt: 'ASC' });
  }

  /**
   * Adds a member.
   *
   * @throws NotFoundError when the organization has no such team or no such member
   * @throws ConflictError when it is in the team already
   */
  async create(organizationId: string, teamId: string, memberId: string): Promise<TeamMember> {
    const team = await this.teams.get(organizationId, teamId);
    const member = await this.members.get(organizationId, memberId);
    return insertOrThrow(this.teamMembers, { teamId: team.id, memberId: member.id }, violations);
  }

  /** Takes a member out of a team. @throws NotFoundError */
  async delete(organizationId: string, teamId: string, id: string): Promise<void> {
    const team = await this.teams.get(organizationId, teamId);
    await deleteOrThrow(this.teamMembers, { teamId: team.id, id });
  }
}
