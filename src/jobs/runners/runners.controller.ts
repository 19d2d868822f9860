import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import {
  CreateRunnerDto,
  RotateRunnerDto,
  IssuedRunnerDto,
  RunnerDto,
  UpdateRunnerDto,
} from './runner.dto.js';
import { RunnersPresenter } from './runners.presenter.js';
import { RunnersService } from './runners.service.js';

@ApiTags('Runners')
@Controller('organizations/:organizationId/runners')
export class RunnersController {
  constructor(
    private readonly runners: RunnersService,
    private readonly presenter: RunnersPresenter,
  ) {}

  /**
   * Lists the runners of an organization, oldest first, and then the shared ones, which serve all organizations. Shared
   * runners have their name and state only, and cannot be changed here: for that, they do not exist (404).
   */
  @Get()
  @Requires('runners:read')
  @ApiPage(RunnerDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RunnerDto[]> {
    const { items, total } = await this.runners.list(organizationId, query);
    return sendPage(response, query, { items: await this.presenter.present(items), total });
  }

  /** Registers a runner. Only this response contains its token. An unknown field, such as a misspelt limit, gets a 400. */
  @Post()
  @ApiSuccess('The new runner with its token, which only this response contains.')
  @NoStore()
  @Requires('runners:write')
  @ApiErrors('app_not_found', 'limit_reached')
  async create(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Body() body: CreateRunnerDto,
  ): Promise<IssuedRunnerDto> {
    return this.presenter.presentIssued(await this.runners.create(organizationId, caller.userId, body));
  }

  /** Gets a runner of the organization, or a shared one. */
  @Get(':runnerId')
  @Requires('runners:read')
  async get(
    @IdParam('organizationId') organizationId: string,
    @IdParam('runnerId') runnerId: string,
  ): Promise<RunnerDto> {
    return this.presenter.presentOne(await this.runners.get(organizationId, runnerId));
  }

  /**
   * Changes a runner, from its next job on. Omitted fields do not change; `null` clears a field. With `paused`, the runner
   * finishes the jobs that it has and gets no others. An unknown field gets a 400.
   */
  @Patch(':runnerId')
  @Requires('runners:write')
  @ApiErrors('app_not_found')
  async update(
    @IdParam('organizationId') organizationId: string,
    @IdParam('runnerId') runnerId: string,
    @Body() body: UpdateRunnerDto,
  ): Promise<RunnerDto> {
    return this.presenter.presentOne(await this.runners.update(organizationId, runnerId, body));
  }

  /**
   * Deletes a runner and its token. Jobs that it has not started go back to the queue at once. Jobs that it runs start once
   * more on another runner; pause the runner and wait for them to avoid that.
   */
  @Delete(':runnerId')
  @HttpCode(204)
  @Requires('runners:write')
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('runnerId') runnerId: string,
  ): Promise<void> {
    await this.runners.delete(organizationId, runnerId);
  }

  /**
   * Replaces the token of a runner. Only this response contains the new one. The old token stays valid for
   * `overlapSeconds`; an older one from an earlier rotation becomes invalid at once. The session of the runner goes on.
   */
  @Post(':runnerId/rotate')
  @ApiSuccess('The runner with its new token, which only this response contains.')
  @HttpCode(200)
  @NoStore()
  @Requires('runners:write')
  @ApiBody({ type: RotateRunnerDto, required: false })
  async rotate(
    @IdParam('organizationId') organizationId: string,
    @IdParam('runnerId') runnerId: string,
    @Body() body: RotateRunnerDto,
  ): Promise<IssuedRunnerDto> {
    const { overlapSeconds = 0 } = body;
    return this.presenter.presentIssued(await this.runners.rotate(organizationId, runnerId, overlapSeconds));
  }
}
