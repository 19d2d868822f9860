import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ConflictError, NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { deleteOrThrow, findOrThrow, findPage, translate } from '../../database/rows.js';
import { Team } from '../teams/team.entity.js';
import { TEAM_APPS_APP_KEY, TEAM_APPS_TEAM_FKEY, TeamApp } from './team-app.entity.js';
import { TeamAppsQueries } from './team-apps.queries.js';

const violations = {
  [TEAM_APPS_APP_KEY]: () => new ConflictError('The app is in this team already.', 'app_already_in_team'),
  [TEAM_APPS_TEAM_FKEY]: () => new NotFoundError('Team'),
};

@Injectable()
export class TeamAppsService {
  constructor(
    @InjectRepository(TeamApp) private readonly teamApps: Repository<TeamApp>,
    @InjectRepository(Team) private readonly teams: Repository<Team>,
    private readonly queries: TeamAppsQueries,
  ) {}

  /** The apps of a team, first assigned first. @throws NotFoundError */
  async list(organizationId: string, teamId: string, query: PageQuery): Promise<Page<TeamApp>> {
    const team = await this.requireTeam(organizationId, teamId);
    return findPage(this.teamApps, { teamId: team.id }, query, { createdAt: 'ASC' });
  }

  /** All apps of a team, first assigned first. */
  listAll(teamId: string): Promise<TeamApp[]> {
    return this.teamApps.find({ where: { teamId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /**
   * Assigns an app to a team.
   *
   * @throws NotFoundError when the organization has no such team or no such app
   * @throws ConflictError when the app is in the team already
   */
  async create(organizationId: string, teamId: string, appId: string): Promise<TeamApp> {
    const team = await this.requireTeam(organizationId, teamId);
    const id = await translate(violations, () => this.queries.insert(organizationId, team.id, appId));
    if (id === null) throw new NotFoundError('App');
    return findOrThrow(this.teamApps, { teamId: team.id, id });
  }

  /** Removes an app from a team. @throws NotFoundError */
  async delete(organizationId: string, teamId: string, id: string): Promise<void> {
    const team = await this.requireTeam(organizationId, teamId);
    await deleteOrThrow(this.teamApps, { teamId: team.id, id });
  }
  private requireTeam(organizationId: string, id: string): Promise<Team> {
    return findOrThrow(this.teams, { organizationId, id });
  }
}
