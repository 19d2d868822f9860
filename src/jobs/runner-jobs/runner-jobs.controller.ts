import { Body, Controller, HttpCode, Patch, Post, Put, Req, Res, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AuthenticatedBy } from '../../common/access/authenticated-by.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { AcceptsLostLease, CurrentLease, CurrentLeaseToken } from './current-lease.decorator.js';
import { JobLeasesService } from './job-leases.service.js';
import { JobTokenGuard } from './job-token.guard.js';
import { Lease } from '../job-leases/lease.js';
import { LeaseTokenContent } from '../job-leases/lease-token.js';
import { readLogPart, uploadOffsetOf } from './log-body.js';
import { UPLOAD_OFFSET_HEADER } from './log-out-of-step.error.js';
import {
  ExtendedLeaseDto,
  ExtendLeaseDto,
  FinishJobDto,
  LogProgressDto,
  RunnerJobDto,
} from './runner-jobs.dto.js';
import { RunnerJobsService } from './runner-jobs.service.js';

@ApiTags('Runner protocol')
@Controller('runner/job')
@UseGuards(JobTokenGuard)
export class RunnerJobsController {
  constructor(
    private readonly leases: JobLeasesService,
    private readonly jobs: RunnerJobsService,
  ) {}

  /** Starts the job: from now on the attempt counts. Repeating it changes nothing. */
  @Post('start')
  @HttpCode(200)
  @ApiSuccess('The job is in progress.')
  @AuthenticatedBy('job')
  @ApiErrors('lease_lost')
  async start(@CurrentLease() lease: Lease): Promise<RunnerJobDto> {
    return { status: await this.leases.start(lease) };
  }

  /**
   * Extends the lease: the runner is still there. `idleSeconds` says how long the build has been silent, also when the log
   * is full and when artifacts are sent.
   */
  @Put('lease')
  @ApiSuccess('The lease lasts from now on.')
  @AuthenticatedBy('job')
  @ApiErrors('lease_lost')
  async extend(
    @CurrentLease() lease: Lease,
    @Body() { idleSeconds }: ExtendLeaseDto,
  ): Promise<ExtendedLeaseDto> {
    const { expiresAt, status } = await this.leases.extend(lease, idleSeconds ?? null);
    return { expiresAt: expiresAt.toISOString(), status };
  }

  /**
   * Adds at most 64 KiB to the log, as plain text or compressed with gzip. `Upload-Offset` says where they begin in the
   * log of this attempt. Bytes that have arrived already change nothing.
   */
  @Patch('log')
  @HttpCode(202)
  @ApiHeader({
    name: UPLOAD_OFFSET_HEADER,
    required: true,
    description: 'Where the bytes begin.',
    schema: { type: 'integer', minimum: 0, example: 0 },
  })
  @ApiConsumes('text/plain')
  @ApiBody({ schema: { type: 'string', example: 'Installing dependencies' } })
  @ApiAcceptedResponse({
    type: LogProgressDto,
    description: 'The log has the bytes.',
    headers: {
      [UPLOAD_OFFSET_HEADER]: {
        description: 'How many bytes of the log have arrived.',
        required: true,
        schema: { type: 'integer' },
      },
    },
  })
  @AuthenticatedBy('job')
  @ApiErrors('lease_lost', 'job_not_started', 'log_out_of_step', 'log_not_decoded', 'too_large')
  async log(
    @CurrentLease() lease: Lease,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LogProgressDto> {
    const offset = uploadOffsetOf(request);
    const logBytes = await this.jobs.append(lease, offset, await readLogPart(request));
    response.setHeader(UPLOAD_OFFSET_HEADER, String(logBytes));
    return { logBytes };
  }

  /** Ends the job, when all of its log has arrived. Repeating it gets the same response. */
  @Post('finish')
  @HttpCode(200)
  @ApiSuccess('The job has ended.')
  @AuthenticatedBy('job')
  @AcceptsLostLease()
  @ApiErrors('artifact_missing', 'lease_lost', 'job_not_started', 'log_out_of_step')
  async finish(
    @CurrentLease() lease: Lease | undefined,
    @CurrentLeaseToken() token: LeaseTokenContent,
    @Body() body: FinishJobDto,
  ): Promise<RunnerJobDto> {
    return { status: await this.jobs.finish(lease, token, body) };
  }
}
