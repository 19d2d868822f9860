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
import { CreateTeamMemberDto, TeamMemberDto } from './team-assignment.dto.js';
import { TeamAssignmentsPresenter } from './team-assignments.presenter.js';
import { TeamAssignmentsService } from './team-assignments.service.js';

@ApiTags('Teams')
@Controller('organizations/:organizationId/teams/:teamId/members')
export class TeamMembersController {
  constructor(
    private readonly assignments: TeamAssignmentsService,
    private readonly presenter: TeamAssignmentsPresenter,
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
    const { items, total } = await this.assignments.listMembers(organizationId, teamId, query);
    return sendPage(response, query, { items: await this.presenter.presentMembers(items), total });
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
    const teamMember = await this.assignments.addMember(organizationId, teamId, body.memberId);
    const [dto] = await this.presenter.presentMembers([teamMember]);
    if (dto === undefined) throw new NotFoundError('Member');
    return dto;
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
    await this.assignments.removeMember(organizationId, teamId, teamMemberId);
  }
}
