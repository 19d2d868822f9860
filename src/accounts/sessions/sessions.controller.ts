import { Controller, Delete, Get, HttpCode, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import type { AccountPermission } from '../../common/access/permissions.js';
import { isScoped, insufficientScope } from '../../common/access/token-scope.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { SessionDto, toSessionDto } from './session.dto.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

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

/** A session can do all that its user can, so a token that is limited to some objects cannot manage sessions. */
function requireUnscoped(caller: Principal, permission: AccountPermission): void {
  if (isScoped(caller.limits)) throw insufficientScope(permission);
}
