import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { CreateTeamAppDto, TeamAppDto } from './team-assignment.dto.js';
import { TeamAssignmentsPresenter } from './team-assignments.presenter.js';
import { TeamAssignmentsService } from './team-assignments.service.js';

@ApiTags('Teams')
@Controller('organizations/:organizationId/teams/:teamId/apps')
export class TeamAppsController {
  constructor(
    private readonly assignments: TeamAssignmentsService,
    private readonly presenter: TeamAssignmentsPresenter,
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
    const { items, total } = await this.assignments.listApps(organizationId, teamId, query);
    return sendPage(response, query, { items: await this.presenter.presentApps(items), total });
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
    const teamApp = await this.assignments.addApp(organizationId, teamId, body.appId);
    const [dto] = await this.presenter.presentApps([teamApp]);
    if (dto === undefined) throw new NotFoundError('App');
    return dto;
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
    await this.assignments.removeApp(organizationId, teamId, teamAppId);
  }
}
