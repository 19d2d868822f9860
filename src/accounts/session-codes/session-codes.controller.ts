import { Body, Controller, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { NewSessionDto, toNewSessionDto } from '../sessions/session.dto.js';
import { CreateSessionDto, SessionCodeDto, toSessionCodeDto } from './session-code.dto.js';
import { SessionCodesService } from './session-codes.service.js';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionCodesController {
  constructor(private readonly codes: SessionCodesService) {}

  /**
   * Starts the sign-in of a program. Show the code to the user, who enters it at `/login/device`, and poll
   * `POST /v1/sessions` every three seconds. The code is valid for ten minutes.
   */
  @Post('codes')
  @ApiSuccess('The code that the user types, and the id that the program exchanges.')
  @NoStore()
  @Public()
  @RateLimit('sign-in')
  async create(@Req() request: Request): Promise<SessionCodeDto> {
    return toSessionCodeDto(await this.codes.create(requestOriginOf(request)));
  }

  /**
   * Exchanges an approved session code for a session, once. Until the user decides, the response is 400
   * `session_code_pending`: send the request again. Any other error ends the sign-in.
   */
  @Post()
  @ApiSuccess('The new session and its token, which only this response contains.')
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
  async exchange(@Body() body: CreateSessionDto, @Req() request: Request): Promise<NewSessionDto> {
    return toNewSessionDto(await this.codes.exchange(body.code, requestOriginOf(request)));
  }
}
