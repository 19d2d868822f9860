import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
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
    return sendPage(response, query, { items: await this.presenter.present(items), total });
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
    return this.presenter.presentOne(await this.teamApps.create(organizationId, teamId, body.appId));
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
