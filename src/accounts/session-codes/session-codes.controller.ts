import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public } from '../../common/access/requires.decorator.js';
import { ApiErrorAs, ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { NewSessionDto, toNewSessionDto } from '../sessions/session.dto.js';
import { CreateSessionDto } from './create-session.dto.js';
import { SessionCodeDto, toSessionCodeDto } from './session-code.dto.js';
import { SessionCodesService } from './session-codes.service.js';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionCodesController {
  constructor(private readonly codes: SessionCodesService) {}

  /**
   * Begins the sign-in of a program. Show the code to the user, let them type it at `/login/device`, and ask
   * `POST /v1/sessions` every three seconds meanwhile. The code is valid for ten minutes.
   */
  @Post('codes')
  @NoStore()
  @Public()
  @RateLimit('sign-in')
  @ApiErrors(400, 401)
  async create(@Req() request: Request): Promise<SessionCodeDto> {
    return toSessionCodeDto(await this.codes.create(requestOriginOf(request, null)));
  }

  /**
   * Exchanges an approved session code for a session, once. While the code waits for a decision the answer is 400 with
   * `session_code_pending`: ask again. Any other error ends the sign-in.
   */
  @Post()
  @NoStore()
  @Public()
  @RateLimit('sign-in-polling')
  @ApiErrors(401)
  @ApiErrorAs(400, 'The code waits for approval (`session_code_pending`), or the request is invalid.')
  @ApiErrorAs(403, 'The sign-in was denied (`session_code_denied`).')
  @ApiErrorAs(404, 'There is no such code.')
  @ApiErrorAs(410, 'The code has expired (`session_code_expired`) or was used (`session_code_consumed`).')
  async exchange(@Body() body: CreateSessionDto, @Req() request: Request): Promise<NewSessionDto> {
    return toNewSessionDto(await this.codes.exchange(body.code, requestOriginOf(request, null)));
  }
}
