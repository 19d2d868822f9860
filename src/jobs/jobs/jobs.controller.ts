import { Body, Controller, Get, Patch, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { OrganizationInQuery } from '../../common/access/organization-in-query.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { untilClientLeaves } from '../../common/http/until-client-leaves.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { JobLogDto } from '../job-logs/job-log.dto.js';
import { GetJobLogQuery, JobLogPageDto, JobLogStepDto } from '../job-logs/job-log-lines.dto.js';
import { assertOneDirection, JobLogPages } from '../job-logs/job-log-pages.service.js';
import { sendVersion, sendWithLogs } from '../job-logs/rendered-log.js';
import { JobDto, toJobDto, GetJobQuery, ListJobsQuery, UpdateJobDto } from './job.dto.js';
import { JobsPresenter } from './jobs.presenter.js';
import { JobsService } from './jobs.service.js';

@ApiTags('Jobs')
@Controller('jobs')
export class JobsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly presenter: JobsPresenter,
    private readonly access: AppAccessService,
    private readonly logs: JobLogPages,
  ) {}

  /** Lists the jobs of an organization in the apps that the caller can see, newest first. */
  @Get()
  @Requires('builds:read')
  @OrganizationInQuery()
  @ApiPage(JobDto)
  @ApiErrors('organization_not_found')
  async list(
    @Caller() caller: Principal,
    @Query() query: ListJobsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobDto[]> {
    return sendPage(response, query, await this.jobs.list(caller, query), (job) => toJobDto(job));
  }

  /** Gets a job, with its log if `relations` asks for it. A final status and the last lines appear together. */
  @Get(':jobId')
  @Requires('builds:read')
  @ApiOkResponse({ type: JobDto })
  async get(
    @IdParam('jobId') jobId: string,
    @Query() query: GetJobQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const job = await this.jobs.get(jobId);
    const withLogs = query.relations?.includes('jobLogs') ?? false;
    await sendWithLogs(request, response, await this.presenter.presentOne(job, withLogs));
  }

  /**
   * Cancels a job that has not ended. It ends at once; its runner stops when it next reports. A submission whose release was
   * sent to the store cannot be canceled; canceling a submission requires the permission `submissions:write`, too.
   */
  @Patch(':jobId')
  @Requires('builds:write')
  @ApiErrors('job_finished', 'submission_committed')
  async cancel(
    @Caller() caller: Principal,
    @IdParam('jobId') jobId: string,
    @Body() _body: UpdateJobDto,
  ): Promise<JobDto> {
    const { kind, appId } = await this.jobs.get(jobId);
    if (kind === 'submission') await this.access.require(caller, appId, 'submissions:write');
    return toJobDto(await this.jobs.cancel(jobId, caller.userId));
  }

  /**
   * Gets the log of a job. Without parameters, the response is all of it in chunks, by number. With any parameter, it is
   * some lines by their numbers: the last ones, those after or before a line, or those that contain a text.
   */
  @Get(':jobId/logs')
  @Requires('builds:read')
  @ApiSuccess('The chunks of the log, or some of its lines.')
  @ApiExtraModels(JobLogDto, JobLogPageDto)
  @ApiOkResponse({
    schema: {
      oneOf: [
        { type: 'array', items: { $ref: getSchemaPath(JobLogDto) } },
        { $ref: getSchemaPath(JobLogPageDto) },
      ],
    },
  })
  @ApiErrors('server_busy', 'storage_unavailable')
  async listLogs(
    @IdParam('jobId') jobId: string,
    @Query() query: GetJobLogQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { after, before, limit, search } = query;
    if ([after, before, limit, search].every((value) => value === undefined)) {
      await sendWithLogs(request, response, await this.presenter.logsOf(jobId));
      return;
    }
    assertOneDirection(query);
    const job = await this.jobs.get(jobId);
    const status = await this.logs.statusOf(job);
    const version = JSON.stringify([jobId, after, before, limit, search, status]);
    await untilClientLeaves(response, (signal) =>
      sendVersion(request, response, version, () => this.logs.page(job, status, query, signal)),
    );
  }

  /**
   * Lists the steps of a job, as the lines of its runner say. Jobs that no runner executes have none.
   */
  @Get(':jobId/logs/steps')
  @Requires('builds:read')
  @ApiOkResponse({ type: [JobLogStepDto] })
  @ApiErrors('server_busy', 'storage_unavailable')
  async listSteps(
    @IdParam('jobId') jobId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const job = await this.jobs.get(jobId);
    const status = await this.logs.statusOf(job);
    const version = JSON.stringify([jobId, job.status, job.finishedAt, status]);
    await sendVersion(request, response, version, () => this.logs.steps(job, status));
  }
}
