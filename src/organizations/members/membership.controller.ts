import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { MemberWithUserDto, TransferOwnershipDto } from './member.dto.js';
import { MembersPresenter } from './members.presenter.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('organizations/:organizationId')
export class MembershipController {
  constructor(
    private readonly members: MembersService,
    private readonly presenter: MembersPresenter,
  ) {}

  /** Ends the caller's membership. The last owner cannot leave. */
  @Post('leave')
  @HttpCode(204)
  @Requires('membership:write')
  @ApiErrors('last_owner')
  async leave(@Caller() caller: Principal, @IdParam('organizationId') organizationId: string): Promise<void> {
    await this.members.leave(caller, organizationId);
  }

  /**
   * Makes another member an owner and the caller an admin. Returns the new owner. A disabled user cannot become the only
   * owner.
   */
  @Post('transfer-ownership')
  @ApiSuccess('The new owner.')
  @HttpCode(200)
  @Requires('ownership:write')
  @ApiErrors('last_owner', 'member_not_found')
  async transferOwnership(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Body() body: TransferOwnershipDto,
  ): Promise<MemberWithUserDto> {
    return this.presenter.presentOne(
      await this.members.transferOwnership(caller, organizationId, body.memberId),
    );
  }
}
