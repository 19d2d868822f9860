import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import type { AccountPermission } from '../../common/access/permissions.js';
import { isScoped, insufficientScope } from '../../common/access/token-scope.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public, Requires } from '../../common/access/requires.decorator.js';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { CreateSessionDto } from './create-session.dto.js';
import { NewSessionDto, SessionDto, toNewSessionDto, toSessionDto } from './session.dto.js';
import { SessionCodeDto, toSessionCodeDto } from './session-code.dto.js';
import { SessionCodesService } from './session-codes.service.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly codes: SessionCodesService,
  ) {}

  /**
   * Starts the sign-in of a program. Show the code to the user, who enters it at `/login/device`, and poll
   * `POST /v1/sessions` every three seconds. The code is valid for ten minutes.
   */
  @Post('codes')
  @NoStore()
  @Public()
  @RateLimit('sign-in')
  async createCode(@Req() request: Request): Promise<SessionCodeDto> {
    return toSessionCodeDto(await this.codes.create(requestOriginOf(request, null)));
  }

  /**
   * Exchanges an approved session code for a session, once. Until the user decides, the response is 400
   * `session_code_pending`: send the request again. Any other error ends the sign-in.
   */
  @Post()
  @NoStore()
  @Public()
  @RateLimit('sign-in-polling')
  @ApiErrors(
    'session_code_consumed',
    'session_code_denied',
    'session_code_expired',
    'session_code_not_found',
    'session_code_pending',
  )
  async create(@Body() body: CreateSessionDto, @Req() request: Request): Promise<NewSessionDto> {
    return toNewSessionDto(await this.codes.exchange(body.code, requestOriginOf(request, null)));
  }

  /** Lists the caller's active sessions, newest first. */
  @Get()
  @Requires('account:read')
  @ApiPage(SessionDto)
  async list(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionDto[]> {
    requireUnscoped(caller, 'account:read');
    const page = await this.sessions.list(caller.userId, query);
    return sendPage(response, query, page, (session) => toSessionDto(session, caller.sessionId));
  }

  /** Ends one of the caller's sessions. Its token is invalid at once. */
  @Delete(':sessionId')
  @HttpCode(204)
  @Requires('account:write')
  async delete(@Caller() caller: Principal, @IdParam('sessionId') sessionId: string): Promise<void> {
    requireUnscoped(caller, 'account:write');
    await this.sessions.delete(caller.userId, sessionId);
  }
}

/** A session covers everything of its user, so a token with a narrower scope cannot manage sessions. */
function requireUnscoped(caller: Principal, permission: AccountPermission): void {
  if (isScoped(caller.limits)) throw insufficientScope(permission);
}
