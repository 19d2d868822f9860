import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import { TwoPhases } from '../../database/transactions/two-phases.decorator.js';
import {
  BuildShareDto,
  toBuildShareDto,
  CreateBuildShareDto,
  UpdateBuildShareDto,
} from './build-share.dto.js';
import { BuildSharesService } from './build-shares.service.js';

@ApiTags('Builds')
@Controller('apps/:appId/builds/:buildId/shares')
export class BuildSharesController {
  constructor(
    private readonly shares: BuildSharesService,
    private readonly config: Config,
  ) {}

  /** Lists all shares of a build, newest first, with expired ones. This list has no pages. */
  @Get()
  @Requires('builds:read')
  async list(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @Req() request: Request,
  ): Promise<BuildShareDto[]> {
    const shares = await this.shares.list(app.id, buildId);
    return shares.map((share) => toBuildShareDto(share, this.originOf(request)));
  }

  /**
   * Shares a build that has succeeded: everyone who has the address of the page can download its app, without signing in,
   * until the share expires or is deleted.
   */
  @Post()
  @TwoPhases()
  @Requires('builds:write')
  @ApiCreatedResponse({ type: BuildShareDto })
  @ApiErrors('build_not_succeeded', 'limit_reached')
  async create(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @Body() body: CreateBuildShareDto,
    @Req() request: Request,
  ): Promise<() => Promise<BuildShareDto>> {
    const values = await this.shares.valuesOf(body);
    return async () =>
      toBuildShareDto(await this.shares.create(app.id, buildId, values), this.originOf(request));
  }

  /**
   * Updates a share. Omitted fields do not change; `null` clears a field. Another password ends all addresses of downloads
   * that were given out before.
   */
  @Patch(':buildShareId')
  @TwoPhases()
  @Requires('builds:write')
  @ApiOkResponse({ type: BuildShareDto })
  async update(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @IdParam('buildShareId') id: string,
    @Body() body: UpdateBuildShareDto,
    @Req() request: Request,
  ): Promise<() => Promise<BuildShareDto>> {
    const changes = await this.shares.valuesOf(body);
    return async () =>
      toBuildShareDto(await this.shares.update(app.id, buildId, id, changes), this.originOf(request));
  }

  /** Ends a share: its page and all addresses of its downloads stop working at once. */
  @Delete(':buildShareId')
  @HttpCode(204)
  @Requires('builds:write')
  async delete(
    @CurrentApp() app: App,
    @IdParam('buildId') buildId: string,
    @IdParam('buildShareId') id: string,
  ): Promise<void> {
    await this.shares.delete(app.id, buildId, id);
  }

  private originOf(request: Request): string {
    return publicUrl(this.config.http, request);
  }
}
