import { Body, Controller, Get, Patch, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { BuildDto } from './build.dto.js';
import { BuildsPresenter } from './builds.presenter.js';
import { BuildsService } from './builds.service.js';
import { GetBuildQuery, ListBuildsQuery } from './list-builds-query.dto.js';
import { UpdateBuildDto } from './update-build.dto.js';

@ApiTags('Builds')
@Controller('apps/:appId/builds')
export class BuildsController {
  constructor(
    private readonly builds: BuildsService,
    private readonly presenter: BuildsPresenter,
  ) {}

  /** Lists the builds of an app, newest first. */
  @Get()
  @Requires('builds:read')
  @ApiPage(BuildDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListBuildsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BuildDto[]> {
    const { items, total } = await this.builds.list(app.id, query);
    return sendPage(response, query, { items: await this.presenter.present(items, query.relations), total });
  }

  /** Gets a build. */
  @Get(':buildId')
  @Requires('builds:read')
  async get(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @Query() query: GetBuildQuery,
  ): Promise<BuildDto> {
    return this.presenter.presentOne(await this.builds.get(app.id, buildId), query.relations);
  }

  /** Updates a build. Omitted fields do not change; `null` clears a field. */
  @Patch(':buildId')
  @Requires('builds:write')
  async update(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @Body() body: UpdateBuildDto,
  ): Promise<BuildDto> {
    return this.presenter.presentOne(await this.builds.update(app.id, buildId, body));
  }
}
