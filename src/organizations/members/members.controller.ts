import { Body, Controller, Delete, Get, HttpCode, Patch, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { ListMembersQuery } from './list-members-query.dto.js';
import { MemberWithUserDto } from './member.dto.js';
import { MembersPresenter } from './members.presenter.js';
import { MembersService } from './members.service.js';
import { UpdateMemberDto } from './update-member.dto.js';

@ApiTags('Members')
@Controller('organizations/:organizationId/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly presenter: MembersPresenter,
  ) {}

  /** The members of the organization, those who joined first first. */
  @Get()
  @Requires('members:read')
  @ApiPage(MemberWithUserDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ListMembersQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MemberWithUserDto[]> {
    const { items, total } = await this.members.list(organizationId, query);
    return sendPage(response, query, { items: await this.presenter.present(items), total });
  }

  /**
   * Changes the role of a member. Only an owner may make an owner or change the role of one (403 `owner_required`), and
   * the last owner stays one (409 `last_owner`).
   */
  @Patch(':memberId')
  @Requires('members:write')
  @ApiErrors(409)
  async update(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @IdParam('memberId') memberId: string,
    @Body() body: UpdateMemberDto,
  ): Promise<MemberWithUserDto> {
    return this.presenter.presentOne(await this.members.update(caller, organizationId, memberId, body.role));
  }

  /**
   * Removes a member from the organization and its teams. Only an owner may remove an owner (403 `owner_required`), and
   * the last owner stays (409 `last_owner`).
   */
  @Delete(':memberId')
  @HttpCode(204)
  @Requires('members:write')
  @ApiErrors(409)
  async delete(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @IdParam('memberId') memberId: string,
  ): Promise<void> {
    await this.members.delete(caller, organizationId, memberId);
  }
}
