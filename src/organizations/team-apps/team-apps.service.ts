import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ConflictError, NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { deleteOrThrow, findOrThrow, findPage, translate } from '../../database/rows.js';
import { TEAM_APPS_APP_KEY, TEAM_APPS_TEAM_FKEY, TeamApp } from './team-app.entity.js';
import { TeamAppsQueries } from './team-apps.queries.js';
import { TeamsService } from '../teams/teams.service.js';

const violations = {
  [TEAM_APPS_APP_KEY]: () => new ConflictError('The app is in this team already.', 'app_already_in_team'),
  [TEAM_APPS_TEAM_FKEY]: () => new NotFoundError('Team'),
};

@Injectable()
export class TeamAppsService {
  constructor(
    @InjectRepository(TeamApp) private readonly teamApps: Repository<TeamApp>,
    private readonly queries: TeamAppsQueries,
    private readonly teams: TeamsService,
  ) {}

  /** The apps of a team, first assigned first. @throws NotFoundError */
  async list(organizationId: string, teamId: string, query: PageQuery): Promise<Page<TeamApp>> {
    const team = await this.teams.get(organizationId, teamId);
    return findPage(this.teamApps, { teamId: team.id }, query, { createdAt: 'ASC' });
  }

  /**
   * Assigns an app.
   *
   * @throws NotFoundError when the organization has no such team or no such app
   * @throws ConflictError when it is assigned already
   */
  async create(organizationId: string, teamId: string, appId: string): Promise<TeamApp> {
    const team = await this.teams.get(organizationId, teamId);
    const id = await translate(violations, () => this.queries.insert(organizationId, team.id, appId));
    if (id === null) throw new NotFoundError('App');
    return findOrThrow(this.teamApps, { teamId: team.id, id });
  }

  /** Takes an app out of a team. @throws NotFoundError */
  async delete(organizationId: string, teamId: string, id: string): Promise<void> {
    const team = await this.teams.get(organizationId, teamId);
    await deleteOrThrow(this.teamApps, { teamId: team.id, id });
  }
}
