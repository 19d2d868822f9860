import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
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

/** The invitations of the caller: those for its email address, ignoring case. */
@ApiTags('Invitations')
@Controller('invitations')
export class ReceivedInvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /** Lists the invitations that the caller can accept or reject, newest first. */
  @Get()
  @Requires('account:read')
  @ApiPage(ReceivedInvitationDto)
  @ApiErrors('email_not_verified')
  async list(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReceivedInvitationDto[]> {
    const page = await this.invitations.listReceived(caller, query);
    return sendPage(response, query, page, toReceivedInvitationDto);
  }

  /** Accepts an invitation: the caller becomes a member of the organization. */
  @Post(':invitationId/accept')
  @HttpCode(200)
  @Requires('account:write')
  @ApiErrors(
    'already_member',
    'email_not_verified',
    'invitation_accepted',
    'invitation_expired',
    'invitation_rejected',
    'invitation_revoked',
    'organization_suspended',
  )
  async accept(
    @Caller() caller: Principal,
    @IdParam('invitationId') invitationId: string,
  ): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.accept(caller, invitationId));
  }

  /** Rejects an invitation. */
  @Post(':invitationId/reject')
  @HttpCode(200)
  @Requires('account:write')
  @ApiErrors(
    'email_not_verified',
    'invitation_accepted',
    'invitation_expired',
    'invitation_rejected',
    'invitation_revoked',
  )
  async reject(
    @Caller() caller: Principal,
    @IdParam('invitationId') invitationId: string,
  ): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.reject(caller, invitationId));
  }
}
