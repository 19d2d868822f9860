import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
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
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { sendPage } from '../../common/pagination/page.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { DeploymentDto, withWarnings } from '../deployments/deployment.dto.js';
import { DeploymentsPresenter } from '../deployments/deployments.presenter.js';
import { ApprovalsPresenter } from './approvals.presenter.js';
import { ApprovalsService } from './approvals.service.js';
import {
  ApprovalStateDto,
  ApproveDeploymentDto,
  RejectDeploymentDto,
  DeploymentApprovalDto,
} from './deployment-approval.dto.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments/:deploymentId')
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly approvalsPresenter: ApprovalsPresenter,
    private readonly presenter: DeploymentsPresenter,
    private readonly access: AppAccessService,
  ) {}

  /** Lists the approvals and rejections of a deployment, oldest first. */
  @Get('approvals')
  @Requires('deployments:read')
  @ApiPage(DeploymentApprovalDto)
  async list(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeploymentApprovalDto[]> {
    const { items, total } = await this.approvals.list(app.id, deploymentId, query);
    const page = { items: await this.approvalsPresenter.present(items), total };
    return sendPage(response, query, page);
  }

  /** Gets which approvals a deployment has and lacks, and which members can give them. */
  @Get('approval-state')
  @ApiSuccess('Which approvals the deployment has and lacks.')
  @Requires('deployments:read')
  async state(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<ApprovalStateDto> {
    return this.approvalsPresenter.presentState(await this.approvals.stateOf(app.id, deploymentId));
  }

  /**
   * Approves a pending deployment of another user. The last required approval makes it live, or submits it to its store. An API token counts as its
   * user, and every user counts once. An emergency approval requires the permission `deployments:override`.
   */
  @Post('approvals')
  @HttpCode(200)
  @Requires('deployments:approve')
  @ApiErrors(
    'already_approved',
    'channel_frozen',
    'conflict',
    'deployment_not_pending',
    'destination_frozen',
    'own_deployment',
    'unsafe_reuse',
  )
  async approve(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('deploymentId') deploymentId: string,
    @Body() body: ApproveDeploymentDto,
  ): Promise<DeploymentDto> {
    if (body.emergency) await this.access.require(caller, app.id, 'deployments:override');
    const approved = await this.approvals.approve(app.id, deploymentId, caller.userId, body);
    return withWarnings(await this.presenter.presentOne(approved.deployment), approved.warnings);
  }

  /** Withdraws the caller's approval of a pending deployment. */
  @Delete('approvals')
  @HttpCode(204)
  @Requires('deployments:approve')
  @ApiErrors('deployment_approval_not_found', 'deployment_not_pending')
  async withdraw(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<void> {
    await this.approvals.withdraw(app.id, deploymentId, caller.userId);
  }

  /** Rejects a pending deployment permanently, with its job if it goes to a store. Its creator can reject it, too. */
  @Post('reject')
  @HttpCode(200)
  @Requires('deployments:approve')
  @ApiErrors('deployment_not_pending')
  async reject(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('deploymentId') deploymentId: string,
    @Body() body: RejectDeploymentDto,
  ): Promise<DeploymentDto> {
    const comment = body.comment ?? null;
    return this.presenter.presentOne(
      await this.approvals.reject(app.id, deploymentId, caller.userId, comment),
    );
  }
}
