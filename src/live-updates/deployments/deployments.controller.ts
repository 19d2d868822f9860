import { Body, Controller, Get, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
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
import { Consequences } from '../../common/warnings/consequences.js';
import { TwoPhases } from '../../database/transactions/two-phases.decorator.js';
import { sendWithLogs } from '../../jobs/job-logs/rendered-log.js';
import { CreateDeploymentDto } from './create-deployment.dto.js';
import {
  DeploymentDto,
  withWarnings,
  GetDeploymentQuery,
  ListDeploymentsQuery,
  UpdateDeploymentDto,
} from './deployment.dto.js';
import { isForStore } from './deployment-target.js';
import { DeploymentsPresenter } from './deployments.presenter.js';
import { DeploymentsService } from './deployments.service.js';
import { SeenMaximaService } from './seen-maxima.service.js';
import { StoreDeploymentCreation } from './stores/store-deployment-creation.service.js';
import { StoreReleaseRequests } from './stores/store-release-requests.service.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments')
export class DeploymentsController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly stores: StoreDeploymentCreation,
    private readonly releases: StoreReleaseRequests,
    private readonly presenter: DeploymentsPresenter,
    private readonly access: AppAccessService,
    private readonly consequences: Consequences,
    private readonly maxima: SeenMaximaService,
  ) {}

  /** Lists the deployments of an app, newest first. */
  @Get()
  @Requires('deployments:read')
  @ApiPage(DeploymentDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListDeploymentsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { items, total } = await this.deployments.list(app.id, query);
    const page = { items: await this.presenter.present(items, query.relations), total };
    await sendWithLogs(request, response, sendPage(response, query, page));
  }

  /**
   * Deploys a build to a channel or to a store. For a channel, it is live at once, or after the last approval that the channel requires. To roll back,
   * deploy an older build again. An emergency deployment requires the permission `deployments:override`.
   *
   * With a destination, a job submits the build to a store: follow `submission`, or the job. It requires `submissions:write`,
   * and waits for the approvals that the destination requires. What does not fit is refused at once: a file that is unsigned,
   * of another app, or signed with another key than the last release, and a version that was submitted there before. A file
   * that went to another track of Google Play is promoted without an upload. While such a submission is open, the same request
   * returns the same deployment. `warnings` says where devices that install the build get older web code.
   *
   * If the app has `skipUnchanged` and the newest deployment to the channel has the same content, nothing is deployed: the
   * response is 200 with that deployment.
   *
   * A signed build whose files devices of the channel would mix with others is refused, unless the channel has delivered it
   * before: then `warnings` says so. They also say what the deployment means for devices, rollout plans and approvals.
   */
  @Post()
  @TwoPhases()
  @ApiCreatedResponse({ type: DeploymentDto })
  @ApiOkResponse({ type: DeploymentDto, description: 'The channel has the same content already.' })
  @Requires('deployments:write')
  @ApiErrors(
    'already_submitted',
    'build_not_found',
    'channel_frozen',
    'channel_not_found',
    'conflict',
    'destination_frozen',
    'destination_not_found',
    'limit_reached',
    'submission_open',
    'unsafe_reuse',
    'unsigned_bundle',
  )
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateDeploymentDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<() => Promise<DeploymentDto>> {
    const toStore = isForStore(body);
    if (toStore) await this.access.require(caller, app.id, 'submissions:write');
    if (body.emergency) await this.access.require(caller, app.id, 'deployments:override');
    if (toStore) return this.createForStore(app, body);
    const { maxima, warnings: unseen } = await this.maxima.resolve(app.id, body);
    const consequences = await this.consequences.of(app, {
      kind: 'deploy',
      buildId: body.appBuildId,
      channelId: body.appChannelId ?? null,
      channelName: body.appChannelName ?? null,
      share: body.rolloutPercentage ?? 1,
      maxima,
    });
    return async () => {
      const { deployment, isNew, warnings } = await this.deployments.create(app.id, body, maxima);
      response.status(isNew ? 201 : 200);
      const all = isNew ? [...warnings, ...unseen, ...consequences] : warnings;
      return withWarnings(await this.presenter.presentOne(deployment), all);
    };
  }

  /** Gets a deployment. With `job.jobLogs`, a final status and the last lines of the log appear together. */
  @Get(':deploymentId')
  @Requires('deployments:read')
  @ApiOkResponse({ type: DeploymentDto })
  async get(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Query() query: GetDeploymentQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const deployment = await this.deployments.get(app.id, deploymentId);
    const body = await this.presenter.presentOne(deployment, query.relations);
    await sendWithLogs(request, response, sendVersioned(response, deployment, body));
  }

  /**
   * Changes the rollout percentage of a deployment. Devices that have the deployment keep it when the percentage grows. A
   * running or held rollout plan is aborted, and `warnings` says so. An emergency change requires the permission `deployments:override`.
   *
   * For a deployment to a store, it requests the change of its release, which a job does: see `submission.openAction`. It
   * requires `submissions:write`. At Google Play, the percentage only grows; 0 halts the release, and 1 completes it. In the
   * App Store, only a phased release can be changed: 0 pauses it, its share before the pause resumes it, and 1 completes it.
   */
  @Patch(':deploymentId')
  @TwoPhases()
  @ApiOkResponse({ type: DeploymentDto })
  @Requires('deployments:write')
  @ApiErrors('channel_frozen', 'destination_frozen', 'release_busy', 'release_state')
  async update(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('deploymentId') deploymentId: string,
    @Body() body: UpdateDeploymentDto,
    @IfMatch() ifMatch?: Condition,
  ): Promise<() => Promise<DeploymentDto>> {
    const { rolloutPercentage, emergency, comment } = body;
    const { channelId, buildId } = await this.deployments.get(app.id, deploymentId);
    if (channelId === null) await this.access.require(caller, app.id, 'submissions:write');
    if (emergency) await this.access.require(caller, app.id, 'deployments:override');
    const how = { ifMatch, emergency, comment };
    if (channelId === null) {
      const older = rolloutPercentage > 0 ? await this.consequences.of(app, { kind: 'submit', buildId }) : [];
      return async () => {
        const changed = await this.releases.setShare(app, deploymentId, rolloutPercentage, how);
        return withWarnings(await this.presenter.presentOne(changed), older);
      };
    }
    const change = { kind: 'share', deploymentId, buildId, share: rolloutPercentage } as const;
    const warnings = await this.consequences.of(app, change);
    return async () => {
      const changed = await this.deployments.update(app.id, deploymentId, rolloutPercentage, how);
      return withWarnings(await this.presenter.presentOne(changed), warnings);
    };
  }

  private async createForStore(app: App, body: CreateDeploymentDto): Promise<() => Promise<DeploymentDto>> {
    const warnings = await this.consequences.of(app, { kind: 'submit', buildId: body.appBuildId });
    return async () => {
      const deployment = await this.stores.create(app, body);
      return withWarnings(await this.presenter.presentOne(deployment), warnings);
    };
  }
}
