import { Body, Controller, Delete, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { AuthenticatedBy } from '../../common/access/authenticated-by.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { logQuietly } from '../../common/logging/quiet-responses.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import {
  ClaimDto,
  ClaimResponseDto,
  CreateRunnerSessionDto,
  RunnerSessionDto,
} from './runner-session.dto.js';
import { ClaimsService } from './claims.service.js';
import { CallingRunner } from './runner-sessions.queries.js';
import { RunnerSessionsService } from './runner-sessions.service.js';
import { CurrentRunner, RunnerTokenGuard } from './runner-token.guard.js';

@ApiTags('Runners')
@Controller('runner')
@UseGuards(RunnerTokenGuard)
export class RunnerSessionsController {
  constructor(
    private readonly sessions: RunnerSessionsService,
    private readonly claims: ClaimsService,
  ) {}

  /**
   * Opens a session. A runner has one: the former one ends, and the jobs that it has not started go back to the queue. The
   * response contains the intervals and limits that the server asks for.
   */
  @Post('sessions')
  @AuthenticatedBy('runner')
  open(
    @CurrentRunner() runner: CallingRunner,
    @Body() body: CreateRunnerSessionDto,
  ): Promise<RunnerSessionDto> {
    return this.sessions.open(runner, body);
  }

  /** Ends a session. Jobs that it has not started go back to the queue. */
  @Delete('sessions/:sessionId')
  @HttpCode(204)
  @AuthenticatedBy('runner')
  end(@CurrentRunner() runner: CallingRunner, @IdParam('sessionId') sessionId: string): Promise<void> {
    return this.sessions.end(runner, sessionId);
  }

  /**
   * Claims a job. The request waits up to 20 seconds for one. As long as the lease of a job lasts, a repeated claim with the
   * same `claimId` gets the same job and renews the lease, so a response that was lost can be requested again.
   */
  @Post('claims')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ type: ClaimResponseDto, description: 'A job, and the token for requests about it.' })
  @ApiNoContentResponse({ description: 'There is no job. Send the next claim at once.' })
  @AuthenticatedBy('runner')
  @ApiErrors('session_ended')
  async claim(
    @CurrentRunner() runner: CallingRunner,
    @Body() body: ClaimDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ClaimResponseDto | undefined> {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    response.once('close', leave);
    if (response.closed) leave();
    const claimed = await this.claims.claim(runner, body, gone.signal);
    response.off('close', leave);
    if (claimed !== null) return claimed;
    // Idle runners send claims again and again.
    logQuietly(response);
    response.status(204);
    return undefined;
  }
}
