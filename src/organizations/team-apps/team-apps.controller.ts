import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { CreateTeamAppDto } from './create-team-app.dto.js';
import { TeamAppDto } from './team-app.dto.js';
import { TeamAppsPresenter } from './team-apps.presenter.js';
import { TeamAppsService } from './team-apps.service.js';

@ApiTags('Teams')
@Controller('organizations/:organizationId/teams/:teamId/apps')
export class TeamAppsController {
  constructor(
    private readonly teamApps: TeamAppsService,
    private readonly presenter: TeamAppsPresenter,
  ) {}

  /** The apps of the team, first assigned first. */
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
    return sendPage(response, query, { items: await this.presenter.present(items), total });
  }

  /** Assigns an app of the organization to the team. 409 `app_already_in_team` when it is in the team already. */
  @Post()
  @Requires('teams:write')
  @ApiErrors(409)
  async create(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
    @Body() body: CreateTeamAppDto,
  ): Promise<TeamAppDto> {
    return this.presenter.presentOne(await this.teamApps.create(organizationId, teamId, body.appId));
  }

  /** Takes an app out of the team, by the id of the assignment. */
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
