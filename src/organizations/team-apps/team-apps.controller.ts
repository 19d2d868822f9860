import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { CreateTeamAppDto } from './create-team-app.dto.js';
import { TeamAppsService } from './team-apps.service.js';
import { TeamAppDto } from '../teams/team.dto.js';
import { TeamsPresenter } from '../teams/teams.presenter.js';

@ApiTags('Teams')
@Controller('organizations/:organizationId/teams/:teamId/apps')
export class TeamAppsController {
  constructor(
    private readonly teamApps: TeamAppsService,
    private readonly presenter: TeamsPresenter,
  ) {}

  /** Lists the apps of a team, in the order of their assignment. */
  @Get()
  @Requires('teams:read')
  @ApiPage(TeamAppDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TeamAppDto[]> {
    const { items, total } = await this.teamApps.list(organizationId, teamId, query);
    return sendPage(response, query, { items: await this.presenter.showApps(items), total });
  }

  /** Assigns an app of the organization to a team. */
  @Post()
  @Requires('teams:write')
  @ApiErrors('app_already_in_team', 'app_not_found')
  async create(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
    @Body() body: CreateTeamAppDto,
  ): Promise<TeamAppDto> {
    const created = await this.teamApps.create(organizationId, teamId, body.appId);
    const [shown] = await this.presenter.showApps([created]);
    if (shown === undefined) throw new NotFoundError('App');
    return shown;
  }

  /** Removes an app from a team, by the id of the assignment. */
  @Delete(':teamAppId')
  @HttpCode(204)
  @Requires('teams:write')
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
    @IdParam('teamAppId') teamAppId: string,
  ): Promise<void> {
    await this.teamApps.delete(organizationId, teamId, teamAppId);
  }
}
