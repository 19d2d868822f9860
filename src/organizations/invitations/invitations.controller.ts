import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { CreateInvitationDto } from './create-invitation.dto.js';
import { InvitationDto, toInvitationDto } from './invitation.dto.js';
import { InvitationsService } from './invitations.service.js';
import { ListInvitationsQuery } from './list-invitations-query.dto.js';

@ApiTags('Invitations')
@Controller('organizations/:organizationId/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /** The invitations of the organization, newest first, with those that were answered, revoked or have expired. */
  @Get()
  @Requires('invitations:read')
  @ApiPage(InvitationDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ListInvitationsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InvitationDto[]> {
    return sendPage(response, query, await this.invitations.list(organizationId, query), toInvitationDto);
  }

  /**
   * Invites whoever signs in with the e-mail address, which must be verified. The invitation stands in
   * `GET /v1/invitations` of the user with that address, who has seven days to accept it. If the server is set up for
   * mail, it tells the person (`mailedAt`, `mailError`); otherwise do that yourself.
   *
   * 409 `already_member`: the address is that of a member. 409 `already_invited`: there is an invitation for it that
   * can still be accepted; revoke it to invite with another role.
   */
  @Post()
  @Requires('invitations:write')
  @ApiErrors(409)
  async create(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Body() body: CreateInvitationDto,
  ): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.create(caller, organizationId, body));
  }

  /**
   * Revokes an invitation; it stays in the list as `canceled`. 409 `invitation_accepted` or `invitation_rejected` when it
   * was answered.
   */
  @Delete(':invitationId')
  @HttpCode(204)
  @Requires('invitations:write')
  @ApiErrors(409)
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('invitationId') invitationId: string,
  ): Promise<void> {
    await this.invitations.revoke(organizationId, invitationId);
  }
}
