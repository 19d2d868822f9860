import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import {
  InvitationDto,
  ReceivedInvitationDto,
  toInvitationDto,
  toReceivedInvitationDto,
} from './invitation.dto.js';
import { InvitationsService } from './invitations.service.js';

/** What the invited user does with its invitations: those for its e-mail address, whatever its case. */
@ApiTags('Invitations')
@Controller('invitations')
export class ReceivedInvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /** The invitations that the caller can accept or reject now, newest first. */
  @Get()
  @Requires('account:read')
  @ApiPage(ReceivedInvitationDto)
  async list(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReceivedInvitationDto[]> {
    const page = await this.invitations.listReceived(caller, query);
    return sendPage(response, query, page, toReceivedInvitationDto);
  }

  /**
   * Makes the caller a member of the organization. 409 says why it is too late: `invitation_accepted`,
   * `invitation_rejected`, `invitation_revoked` or `invitation_expired`.
   */
  @Post(':invitationId/accept')
  @HttpCode(200)
  @Requires('account:write')
  @ApiErrors(409)
  async accept(
    @Caller() caller: Principal,
    @IdParam('invitationId') invitationId: string,
  ): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.accept(caller, invitationId));
  }

  /** Declines the invitation. 409 as for accepting. */
  @Post(':invitationId/reject')
  @HttpCode(200)
  @Requires('account:write')
  @ApiErrors(409)
  async reject(
    @Caller() caller: Principal,
    @IdParam('invitationId') invitationId: string,
  ): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.reject(caller, invitationId));
  }
}
