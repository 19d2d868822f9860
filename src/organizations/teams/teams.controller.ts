import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { CreateTeamDto } from './create-team.dto.js';
import { GetTeamQuery, ListTeamsQuery } from './list-teams-query.dto.js';
import { TeamDto } from './team.dto.js';
import { TeamsPresenter } from './teams.presenter.js';
import { TeamsService } from './teams.service.js';
import { UpdateTeamDto } from './update-team.dto.js';

@ApiTags('Teams')
@Controller('organizations/:organizationId/teams')
export class TeamsController {
  constructor(
    private readonly teams: TeamsService,
    private readonly presenter: TeamsPresenter,
  ) {}

  /** Lists the teams of an organization, by name. */
  @Get()
  @Requires('teams:read')
  @ApiPage(TeamDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ListTeamsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TeamDto[]> {
    const { items, total } = await this.teams.list(organizationId, query);
    return sendPage(response, query, { items: await this.presenter.present(items), total });
  }

  /**
   * Creates a team. If an organization has teams, members other than owners and admins see only the apps of their teams;
   * members without a team see no apps.
   */
  @Post()
  @Requires('teams:write')
  @ApiErrors('team_name_taken', 'limit_reached')
  async create(
    @IdParam('organizationId') organizationId: string,
    @Body() body: CreateTeamDto,
  ): Promise<TeamDto> {
    return this.presenter.presentOne(await this.teams.create(organizationId, body));
  }

  /** Gets a team. */
  @Get(':teamId')
  @Requires('teams:read')
  async get(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
    @Query() query: GetTeamQuery,
  ): Promise<TeamDto> {
    return this.presenter.presentOne(await this.teams.get(organizationId, teamId), query.relations);
  }

  /** Updates a team. Omitted fields do not change; `null` clears a field. */
  @Patch(':teamId')
  @Requires('teams:write')
  @ApiErrors('team_name_taken')
  async update(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
    @Body() body: UpdateTeamDto,
  ): Promise<TeamDto> {
    return this.presenter.presentOne(await this.teams.update(organizationId, teamId, body));
  }

  /**
   * Deletes a team. Its apps and members stay in the organization. After the deletion of the last team, all members see
   * all apps.
   */
  @Delete(':teamId')
  @HttpCode(204)
  @Requires('teams:write')
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
  ): Promise<void> {
    await this.teams.delete(organizationId, teamId);
  }
}
