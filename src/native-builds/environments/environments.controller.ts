import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { TwoPhases } from '../../database/transactions/two-phases.decorator.js';
import {
  CreateEnvironmentDto,
  UpdateEnvironmentDto,
  DeleteEnvironmentQuery,
  GetEnvironmentQuery,
  ListEnvironmentsQuery,
  EnvironmentDto,
  toEnvironmentDto,
} from './environment.dto.js';
import { EnvironmentCreationService } from './environment-creation.service.js';
import { EnvironmentsPresenter } from './environments.presenter.js';
import { EnvironmentsService } from './environments.service.js';

@ApiTags('Environments')
@Controller('apps/:appId/environments')
export class EnvironmentsController {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly creation: EnvironmentCreationService,
    private readonly presenter: EnvironmentsPresenter,
  ) {}

  /** Lists the environments of an app, by name. */
  @Get()
  @Requires('environments:read')
  @ApiPage(EnvironmentDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListEnvironmentsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EnvironmentDto[]> {
    const { items, total } = await this.environments.list(app.id, query);
    return sendPage(response, query, { items: await this.presenter.present(items, query.relations), total });
  }

  /**
   * Creates an environment. Restricting its use requires the permission `environments:use`. If it is protected and the
   * request has no `allowedRefs`, only builds of the default branch of the app's repository can use it.
   */
  @Post()
  @TwoPhases()
  @Requires('environments:write')
  @ApiCreatedResponse({ type: EnvironmentDto })
  @ApiErrors('environment_name_taken', 'limit_reached')
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateEnvironmentDto,
  ): Promise<() => Promise<EnvironmentDto>> {
    const create = await this.creation.prepare(caller, app.id, body);
    return async () => toEnvironmentDto(await create());
  }

  /** Gets an environment. */
  @Get(':environmentId')
  @Requires('environments:read')
  async get(
    @CurrentApp() app: App,
    @IdParam('environmentId') environmentId: string,
    @Query() query: GetEnvironmentQuery,
  ): Promise<EnvironmentDto> {
    return this.presenter.presentOne(await this.environments.get(app.id, environmentId), query.relations);
  }

  /**
   * Updates an environment. Omitted fields do not change. If its use is restricted, or you restrict it, this requires the
   * permission `environments:use`.
   */
  @Patch(':environmentId')
  @Requires('environments:write')
  @ApiErrors('environment_name_taken')
  async update(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') environmentId: string,
    @Body() body: UpdateEnvironmentDto,
  ): Promise<EnvironmentDto> {
    return toEnvironmentDto(await this.environments.update(caller, app.id, environmentId, body));
  }

  /**
   * Deletes the environment with this name with its variables and secrets. If its use is restricted, this requires the
   * permission `environments:use`.
   */
  @Delete()
  @HttpCode(204)
  @Requires('environments:write')
  @ApiErrors('environment_not_found', 'conflict')
  async deleteByName(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Query() { name }: DeleteEnvironmentQuery,
  ): Promise<void> {
    await this.environments.delete(caller, app.id, { name });
  }

  /**
   * Deletes an environment with its variables and secrets. If its use is restricted, this requires the permission
   * `environments:use`.
   */
  @Delete(':environmentId')
  @HttpCode(204)
  @Requires('environments:write')
  @ApiErrors('conflict')
  async delete(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('environmentId') id: string,
  ): Promise<void> {
    await this.environments.delete(caller, app.id, { id });
  }
}
