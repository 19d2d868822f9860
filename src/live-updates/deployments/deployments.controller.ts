import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import type { IfMatch as Condition } from '../../common/http/if-match.js';
import { IfMatch } from '../../common/http/if-match.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { CreateDeploymentDto } from './create-deployment.dto.js';
import { DeploymentDto } from './deployment.dto.js';
import { DeploymentsQueries } from './deployments.queries.js';
import { DeploymentsService } from './deployments.service.js';
import { GetDeploymentQuery, ListDeploymentsQuery } from './list-deployments-query.dto.js';
import { UpdateDeploymentDto } from './update-deployment.dto.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments')
export class DeploymentsController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly queries: DeploymentsQueries,
  ) {}

  /** The deployments of the app, newest first. */
  @Get()
  @Requires('deployments:read')
  @ApiPage(DeploymentDto)
  @ApiErrors(400)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListDeploymentsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeploymentDto[]> {
    const { items, total } = await this.deployments.list(app.id, query);
    return sendPage(response, query, { items: await this.queries.show(items, query.relations), total });
  }

  /** Sends a build to a channel; it is effective at once. A rollback is a new deployment of an older build. */
  @Post()
  @Requires('deployments:write')
  @ApiErrors(400, 409)
  async create(@CurrentApp() app: App, @Body() body: CreateDeploymentDto): Promise<DeploymentDto> {
    return this.queries.showOne(await this.deployments.create(app.id, body));
  }

  /** One deployment. */
  @Get(':deploymentId')
  @Requires('deployments:read')
  @ApiErrors(400)
  async get(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Query() query: GetDeploymentQuery,
  ): Promise<DeploymentDto> {
    return this.queries.showOne(await this.deployments.get(app.id, deploymentId), query.relations);
  }

  /** Changes the share of devices that receive the build. Devices that are in stay in when it grows. */
  @Patch(':deploymentId')
  @Requires('deployments:write')
  @ApiErrors(400)
  async update(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Body() body: UpdateDeploymentDto,
    @IfMatch() ifMatch?: Condition,
  ): Promise<DeploymentDto> {
    const { rolloutPercentage } = body;
    return this.queries.showOne(
      await this.deployments.update(app.id, deploymentId, rolloutPercentage, { ifMatch }),
    );
  }
}
