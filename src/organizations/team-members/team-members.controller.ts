import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { CreateTeamMemberDto } from './create-team-member.dto.js';
import { TeamMemberDto } from './team-member.dto.js';
import { TeamMembersPresenter } from './team-members.presenter.js';
import { TeamMembersService } from './team-members.service.js';

@ApiTags('Teams')
@Controller('organizations/:organizationId/teams/:teamId/members')
export class TeamMembersController {
  constructor(
    private readonly teamMembers: TeamMembersService,
    private readonly presenter: TeamMembersPresenter,
  ) {}

  /** Lists the members of a team, in the order of their assignment. */
  @Get()
  @Requires('teams:read')
  @ApiPage(TeamMemberDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TeamMemberDto[]> {
    const { items, total } = await this.teamMembers.list(organizationId, teamId, query);
    return sendPage(response, query, { items: await this.presenter.present(items), total });
  }

  /** Adds a member of the organization to a team. */
  @Post()
  @Requires('teams:write')
  @ApiErrors('member_already_in_team', 'member_not_found')
  async create(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
    @Body() body: CreateTeamMemberDto,
  ): Promise<TeamMemberDto> {
    return this.presenter.presentOne(await this.teamMembers.create(organizationId, teamId, body.memberId));
  }

  /** Removes a member from a team, by the id of the assignment. */
  @Delete(':teamMemberId')
  @HttpCode(204)
  @Requires('teams:write')
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('teamId') teamId: string,
    @IdParam('teamMemberId') teamMemberId: string,
  ): Promise<void> {
    await this.teamMembers.delete(organizationId, teamId, teamMemberId);
  }
}
