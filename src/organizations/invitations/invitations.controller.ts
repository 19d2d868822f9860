import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import {
  CreateInvitationDto,
  InvitationDto,
  toInvitationDto,
  ListInvitationsQuery,
} from './invitation.dto.js';
import { InvitationsService } from './invitations.service.js';

@ApiTags('Invitations')
@Controller('organizations/:organizationId/invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly config: Config,
  ) {}

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
   * Invites a person by email address, with or without an account, for seven days. If the server sends email, it mails a
   * link (`mailedAt`, `mailError`). Otherwise only this response contains the link (`link`): pass it on to the person
   * yourself. With the link, a person without an account sets a password and joins. A user with this verified address
   * signs in and finds the invitation in `GET /v1/invitations`. To invite with another role, revoke the open invitation
   * first.
   */
  @Post()
  @NoStore()
  @Requires('invitations:write')
  @ApiErrors('already_invited', 'already_member', 'limit_reached', 'conflict')
  async create(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Body() body: CreateInvitationDto,
    @Req() request: Request,
  ): Promise<InvitationDto> {
    const { invitation, linkPath } = await this.invitations.create(caller, organizationId, body);
    const link = linkPath === null ? null : publicUrl(this.config.http, request) + linkPath;
    return { ...toInvitationDto(invitation), link };
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
