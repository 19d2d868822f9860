import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ConflictError, NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { deleteOrThrow, findOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { Member } from '../members/member.entity.js';
import { Team } from '../teams/team.entity.js';
import {
  TEAM_MEMBERS_MEMBER_FKEY,
  TEAM_MEMBERS_MEMBER_KEY,
  TEAM_MEMBERS_TEAM_FKEY,
  TeamMember,
} from './team-member.entity.js';

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
    @InjectRepository(Team) private readonly teams: Repository<Team>,
    @InjectRepository(Member) private readonly members: Repository<Member>,
  ) {}

  /** The members of a team, first added first. @throws NotFoundError */
  async list(organizationId: string, teamId: string, query: PageQuery): Promise<Page<TeamMember>> {
    const team = await this.requireTeam(organizationId, teamId);
    return findPage(this.teamMembers, { teamId: team.id }, query, { createdAt: 'ASC' });
  }

  /** All members of a team, first added first. */
  listAll(teamId: string): Promise<TeamMember[]> {
    return this.teamMembers.find({ where: { teamId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /**
   * Adds a member to a team.
   *
   * @throws NotFoundError when the organization has no such team or no such member
   * @throws ConflictError when the member is in the team already
   */
  async create(organizationId: string, teamId: string, memberId: string): Promise<TeamMember> {
    const team = await this.requireTeam(organizationId, teamId);
    const member = await findOrThrow(this.members, { organizationId, id: memberId });
    return insertOrThrow(this.teamMembers, { teamId: team.id, memberId: member.id }, violations);
  }

  /** Removes a member from a team. @throws NotFoundError */
  async delete(organizationId: string, teamId: string, id: string): Promise<void> {
    const team = await this.requireTeam(organizationId, teamId);
    await deleteOrThrow(this.teamMembers, { teamId: team.id, id });
  }
  private requireTeam(organizationId: string, id: string): Promise<Team> {
    return findOrThrow(this.teams, { organizationId, id });
  }
}
