import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import type { IfMatch as Condition } from '../../common/etags/if-match.js';
import { IfMatch } from '../../common/etags/if-match.decorator.js';
import { sendVersioned } from '../../common/etags/version.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { CreateDeploymentDto } from './create-deployment.dto.js';
import { DeploymentDto, withWarnings } from './deployment.dto.js';
import { DeploymentsPresenter } from './deployments.presenter.js';
import { DeploymentsService } from './deployments.service.js';
import { GetDeploymentQuery, ListDeploymentsQuery } from './list-deployments-query.dto.js';
import { UpdateDeploymentDto } from './update-deployment.dto.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments')
export class DeploymentsController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly presenter: DeploymentsPresenter,
    private readonly access: AppAccessService,
  ) {}

  /** Lists the deployments of an app, newest first. */
  @Get()
  @Requires('deployments:read')
  @ApiPage(DeploymentDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListDeploymentsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeploymentDto[]> {
    const { items, total } = await this.deployments.list(app.id, query);
    return sendPage(response, query, { items: await this.presenter.present(items, query.relations), total });
  }

  /**
   * Deploys a build to a channel. It is live at once, or after the last approval that the channel requires. To roll back,
   * deploy an older build again. An emergency deployment requires the permission `deployments:override`.
   *
   * A signed build whose files devices of the channel would mix with others is refused, unless the channel has delivered it
   * before: then `warnings` says so.
   */
  @Post()
  @Requires('deployments:write')
  @ApiErrors(
    'build_not_found',
    'channel_frozen',
    'channel_not_found',
    'conflict',
    'destination_not_found',
    'unsafe_reuse',
    'unsigned_bundle',
  )
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateDeploymentDto,
  ): Promise<DeploymentDto> {
    if (body.emergency) await this.access.require(caller, app.id, 'deployments:override');
    const { deployment, warnings } = await this.deployments.create(app.id, body);
    return withWarnings(await this.presenter.presentOne(deployment), warnings);
  }

  /** Gets a deployment. */
  @Get(':deploymentId')
  @Requires('deployments:read')
  async get(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Query() query: GetDeploymentQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeploymentDto> {
    const deployment = await this.deployments.get(app.id, deploymentId);
    return sendVersioned(response, deployment, await this.presenter.presentOne(deployment, query.relations));
  }

  /**
   * Changes the rollout percentage. Devices that have the deployment keep it when the percentage grows. A running or held
   * rollout plan is aborted. An emergency change requires the permission `deployments:override`.
   */
  @Patch(':deploymentId')
  @Requires('deployments:write')
  @ApiErrors('channel_frozen')
  async update(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('deploymentId') deploymentId: string,
    @Body() body: UpdateDeploymentDto,
    @IfMatch() ifMatch?: Condition,
  ): Promise<DeploymentDto> {
    const { rolloutPercentage, emergency } = body;
    if (emergency) await this.access.require(caller, app.id, 'deployments:override');
    return this.presenter.presentOne(
      await this.deployments.update(app.id, deploymentId, rolloutPercentage, { ifMatch, emergency }),
    );
  }
}
