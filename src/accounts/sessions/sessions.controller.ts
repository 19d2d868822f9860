import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import type { AccountPermission } from '../../common/access/permissions.js';
import { isScoped, insufficientScope } from '../../common/access/token-scope.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public, Requires } from '../../common/access/requires.decorator.js';
import { ApiErrorAs, ApiErrors } from '../../common/errors/api-errors.decorator.js';
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
   * Begins the sign-in of a program. Show the code to the user, let them type it at `/login/device`, and ask
   * `POST /v1/sessions` every three seconds meanwhile. The code is valid for ten minutes.
   */
  @Post('codes')
  @NoStore()
  @Public()
  @RateLimit('sign-in')
  @ApiErrors(400, 401)
  async createCode(@Req() request: Request): Promise<SessionCodeDto> {
    return toSessionCodeDto(await this.codes.create(requestOriginOf(request, null)));
  }

  /**
   * Exchanges an approved session code for a session, once. As long as nobody has decided the answer is 400 with
   * `session_code_pending`: ask again. Any other error ends the sign-in.
   */
  @Post()
  @NoStore()
  @Public()
  @RateLimit('sign-in-polling')
  @ApiErrors(401)
  @ApiErrorAs(400, 'Nobody has approved the code yet (`session_code_pending`), or the request is invalid.')
  @ApiErrorAs(403, 'The sign-in was denied (`session_code_denied`).')
  @ApiErrorAs(404, 'There is no such code.')
  @ApiErrorAs(410, 'The code has expired (`session_code_expired`) or was used (`session_code_consumed`).')
  async create(@Body() body: CreateSessionDto, @Req() request: Request): Promise<NewSessionDto> {
    return toNewSessionDto(await this.codes.exchange(body.code, requestOriginOf(request, null)));
  }

  /** The caller's sessions that have not ended, newest first. */
  @Get()
  @Requires('account:read')
  @ApiPage(SessionDto)
  async list(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionDto[]> {
    requireUnconfined(caller, 'account:read');
    const page = await this.sessions.list(caller.userId, query);
    return sendPage(response, query, page, (session) => toSessionDto(session, caller.sessionId));
  }

  /** Ends one of the caller's sessions: its token is not valid any more. */
  @Delete(':sessionId')
  @HttpCode(204)
  @Requires('account:write')
  async delete(@Caller() caller: Principal, @IdParam('sessionId') sessionId: string): Promise<void> {
    requireUnconfined(caller, 'account:write');
    await this.sessions.delete(caller.userId, sessionId);
  }
}

/** Sessions reach everything of the user, so tokens that are limited to some of it have no say in them. */
function requireUnconfined(caller: Principal, permission: AccountPermission): void {
  if (isScoped(caller.limits)) throw insufficientScope(permission);
}
