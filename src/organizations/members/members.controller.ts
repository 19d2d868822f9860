import { Body, Controller, Delete, Get, HttpCode, Patch, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { ListMembersQuery, MemberWithUserDto, UpdateMemberDto } from './member.dto.js';
import { MembersPresenter } from './members.presenter.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('organizations/:organizationId/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly presenter: MembersPresenter,
  ) {}

  /** Lists the members of an organization, in the order in which they joined. */
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
   * Changes the role of a member. Only owners can make a member an owner or change the role of an owner. The last owner
   * cannot get another role.
   */
  @Patch(':memberId')
  @Requires('members:write')
  @ApiErrors('last_owner', 'owner_required')
  async update(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @IdParam('memberId') memberId: string,
    @Body() body: UpdateMemberDto,
  ): Promise<MemberWithUserDto> {
    return this.presenter.presentOne(await this.members.update(caller, organizationId, memberId, body.role));
  }

  /**
   * Removes a member from an organization and its teams. Only owners can remove an owner. The last owner cannot be removed.
   */
  @Delete(':memberId')
  @HttpCode(204)
  @Requires('members:write')
  @ApiErrors('last_owner', 'owner_required')
  async delete(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @IdParam('memberId') memberId: string,
  ): Promise<void> {
    await this.members.delete(caller, organizationId, memberId);
  }
}
