import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { NotFoundError, errorOf } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { deleteOrThrow, findOrThrow, findPage, insertOrThrow, translate } from '../../database/rows.js';
import { MembersService } from '../members/members.service.js';
import { TEAM_APPS_APP_KEY, TEAM_APPS_TEAM_FKEY, TeamApp } from './team-app.entity.js';
import { TeamAssignmentsQueries } from './team-assignments.queries.js';
import {
  TEAM_MEMBERS_MEMBER_FKEY,
  TEAM_MEMBERS_MEMBER_KEY,
  TEAM_MEMBERS_TEAM_FKEY,
  TeamMember,
} from './team-member.entity.js';

const violations = {
  [TEAM_APPS_APP_KEY]: () => errorOf('app_already_in_team'),
  [TEAM_APPS_TEAM_FKEY]: () => new NotFoundError('Team'),
  [TEAM_MEMBERS_MEMBER_KEY]: () => errorOf('member_already_in_team'),
  [TEAM_MEMBERS_TEAM_FKEY]: () => new NotFoundError('Team'),
  [TEAM_MEMBERS_MEMBER_FKEY]: () => new NotFoundError('Member'),
};

/** The apps and members of teams. */
@Injectable()
export class TeamAssignmentsService {
  constructor(
    @InjectRepository(TeamApp) private readonly teamApps: Repository<TeamApp>,
    @InjectRepository(TeamMember) private readonly teamMembers: Repository<TeamMember>,
    private readonly members: MembersService,
    private readonly queries: TeamAssignmentsQueries,
  ) {}

  /** The apps of a team, first assigned first. @throws NotFoundError */
  async listApps(organizationId: string, teamId: string, query: PageQuery): Promise<Page<TeamApp>> {
    const team = await this.requireTeam(organizationId, teamId);
    return findPage(this.teamApps, { teamId: team.id }, query, { createdAt: 'ASC' });
  }

  /** The members of a team, first added first. @throws NotFoundError */
  async listMembers(organizationId: string, teamId: string, query: PageQuery): Promise<Page<TeamMember>> {
    const team = await this.requireTeam(organizationId, teamId);
    return findPage(this.teamMembers, { teamId: team.id }, query, { createdAt: 'ASC' });
  }

  /** All apps of a team, first assigned first. */
  allApps(teamId: string): Promise<TeamApp[]> {
    return this.teamApps.find({ where: { teamId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** All members of a team, first added first. */
  allMembers(teamId: string): Promise<TeamMember[]> {
    return this.teamMembers.find({ where: { teamId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /**
   * Assigns an app to a team.
   *
   * @throws NotFoundError when the organization has no such team or no such app
   * @throws ConflictError when the app is in the team already
   */
  async addApp(organizationId: string, teamId: string, appId: string): Promise<TeamApp> {
    const team = await this.requireTeam(organizationId, teamId);
    const id = await translate(violations, () => this.queries.insertApp(organizationId, team.id, appId));
    if (id === null) throw new NotFoundError('App');
    return findOrThrow(this.teamApps, { teamId: team.id, id });
  }

  /**
   * Adds a member to a team.
   *
   * @throws NotFoundError when the organization has no such team or no such member
   * @throws ConflictError when the member is in the team already
   */
  async addMember(organizationId: string, teamId: string, memberId: string): Promise<TeamMember> {
    const team = await this.requireTeam(organizationId, teamId);
    // The ids of rows are in lower case; those of the request may not be.
    const member = await this.members.get(organizationId, memberId);
    return insertOrThrow(this.teamMembers, { teamId: team.id, memberId: member.id }, violations);
  }

  /** Removes an app from a team, by the id of the assignment. @throws NotFoundError */
  async removeApp(organizationId: string, teamId: string, id: string): Promise<void> {
    const team = await this.requireTeam(organizationId, teamId);
    await deleteOrThrow(this.teamApps, { teamId: team.id, id });
  }

  /** Removes a member from a team, by the id of the assignment. @throws NotFoundError */
  async removeMember(organizationId: string, teamId: string, id: string): Promise<void> {
    const team = await this.requireTeam(organizationId, teamId);
    await deleteOrThrow(this.teamMembers, { teamId: team.id, id });
  }

  /** Removes an app, whose row is locked, from all teams. */
  async removeAppFromAll(appId: string): Promise<void> {
    await this.teamApps.delete({ appId });
  }

  /** The rows of a team refer to the id of its row, in lower case. @throws NotFoundError */
  private async requireTeam(organizationId: string, id: string): Promise<{ readonly id: string }> {
    const team = await this.queries.findTeam(organizationId, id);
    if (team === null) throw new NotFoundError('Team');
    return team;
  }
}
