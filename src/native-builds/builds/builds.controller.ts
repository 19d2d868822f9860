import { Body, Controller, Get, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { Consequences } from '../../common/warnings/consequences.js';
import { TwoPhases } from '../../database/transactions/two-phases.decorator.js';
import { sendWithLogs } from '../../jobs/job-logs/rendered-log.js';
import { BuildDto, withBuildWarnings, GetBuildQuery, ListBuildsQuery, UpdateBuildDto } from './build.dto.js';
import { BuildCreationService } from './build-creation.service.js';
import { BuildsPresenter } from './builds.presenter.js';
import { BuildsService } from './builds.service.js';
import { CreateBuildDto } from './create-build.dto.js';

@ApiTags('Builds')
@Controller('apps/:appId/builds')
export class BuildsController {
  constructor(
    private readonly builds: BuildsService,
    private readonly presenter: BuildsPresenter,
    private readonly creation: BuildCreationService,
    private readonly access: AppAccessService,
    private readonly consequences: Consequences,
  ) {}

  /** Lists the builds of an app, newest first. */
  @Get()
  @Requires('builds:read')
  @ApiPage(BuildDto)
  async list(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Query() query: ListBuildsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.requireRelations(caller, app, query);
    const { items, total } = await this.builds.list(app.id, query);
    const page = { items: await this.presenter.present(items, query.relations), total };
    await sendWithLogs(request, response, sendPage(response, query, page));
  }

  /**
   * Starts a build of a commit, or of a source. A runner of the organization makes it: follow it by its job. A build for iOS
   * requires a registered runner that can do it. Naming channels requires `deployments:write`; the build is deployed to them
   * after success, as the user who started it. `warnings` says when its certificate has expired, or does so within 30 days.
   */
  @Post()
  @TwoPhases()
  @Requires('builds:write')
  @ApiCreatedResponse({ type: BuildDto })
  @ApiErrors(
    'build_number_unavailable',
    'build_numbers_used_up',
    'build_source_not_found',
    'certificate_not_found',
    'certificate_required',
    'certificate_unfit',
    'channel_not_found',
    'configuration_not_found',
    'destination_not_found',
    'environment_full',
    'environment_not_found',
    'limit_reached',
    'provisioning_profile_unfit',
    'runner_missing',
    'use_restricted',
  )
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateBuildDto,
  ): Promise<() => Promise<BuildDto>> {
    const create = await this.creation.prepare(caller, app, body);
    return async () => {
      const { build, warnings } = await create();
      return withBuildWarnings(await this.presenter.presentOne(build), warnings);
    };
  }

  /** Gets a build. With `job.jobLogs`, a final status and the last lines of the log appear together. */
  @Get(':buildId')
  @Requires('builds:read')
  @ApiOkResponse({ type: BuildDto })
  async get(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('buildId') buildId: string,
    @Query() query: GetBuildQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.requireRelations(caller, app, query);
    const build = await this.builds.get(app.id, buildId);
    await sendWithLogs(request, response, await this.presenter.presentOne(build, query.relations));
  }

  /**
   * Updates a build. Omitted fields do not change; `null` clears a field. `warnings` says what other native versions mean for
   * the devices that are known.
   */
  @Patch(':buildId')
  @TwoPhases()
  @ApiOkResponse({ type: BuildDto })
  @Requires('builds:write')
  async update(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @Body() body: UpdateBuildDto,
  ): Promise<() => Promise<BuildDto>> {
    const warnings = await this.consequences.of(app, { kind: 'versions', buildId, versions: body });
    return async () => {
      const build = await this.builds.update(app.id, buildId, body);
      return withBuildWarnings(await this.presenter.presentOne(build), warnings);
    };
  }

  /** @throws ForbiddenError when a token may see builds, but not where they went */
  private async requireRelations(
    caller: Principal,
    app: App,
    { relations = [] }: GetBuildQuery,
  ): Promise<void> {
    if (relations.includes('appDeployments')) await this.access.require(caller, app.id, 'deployments:read');
  }
}
