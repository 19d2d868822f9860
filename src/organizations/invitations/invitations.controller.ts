import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
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

  /** Lists the invitations of an organization in all states, newest first. */
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
   * Invites a person by email address. The user with this verified address finds the invitation in `GET /v1/invitations`
   * and can accept it for seven days. If the server can send email, it notifies the person (`mailedAt`, `mailError`);
   * otherwise, notify the person yourself. To invite with another role, revoke the open invitation first.
   */
  @Post()
  @Requires('invitations:write')
  @ApiErrors('already_invited', 'already_member', 'limit_reached', 'conflict')
  async create(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Body() body: CreateInvitationDto,
  ): Promise<InvitationDto> {
    return toInvitationDto(await this.invitations.create(caller, organizationId, body));
  }

  /** Revokes an open or expired invitation. It stays in the list as `canceled`. */
  @Delete(':invitationId')
  @HttpCode(204)
  @Requires('invitations:write')
  @ApiErrors('invitation_accepted', 'invitation_rejected')
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('invitationId') invitationId: string,
  ): Promise<void> {
    await this.invitations.revoke(organizationId, invitationId);
  }
}
