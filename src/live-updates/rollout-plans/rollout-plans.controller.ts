import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { CommentDto } from '../../common/validation/comment.dto.js';
import { Consequences } from '../../common/warnings/consequences.js';
import { toWarningDtos } from '../../common/warnings/warning.dto.js';
import { TwoPhases } from '../../database/transactions/two-phases.decorator.js';
import { PutRolloutPlanDto, RolloutPlanDto, toRolloutPlanDto } from './rollout-plan.dto.js';
import { DeploymentHealthQueries } from '../deployment-health/deployment-health.queries.js';
import type { RolloutPlan } from './rollout-plan.entity.js';
import { RolloutPlansService } from './rollout-plans.service.js';

@ApiTags('Rollout plans')
@Controller('apps/:appId/deployments/:deploymentId/rollout-plan')
@AfterCheckIns()
export class RolloutPlansController {
  constructor(
    private readonly plans: RolloutPlansService,
    private readonly health: DeploymentHealthQueries,
    private readonly access: AppAccessService,
    private readonly consequences: Consequences,
  ) {}

  /** Gets the rollout plan of a deployment, with its progress and the health of the devices. */
  @Get()
  @Requires('deployments:read')
  @ApiErrors('deployment_to_store', 'rollout_plan_not_found')
  async get(@CurrentApp() app: App, @IdParam('deploymentId') deploymentId: string): Promise<RolloutPlanDto> {
    return this.present(await this.plans.get(app.id, deploymentId));
  }

  /**
   * Creates or replaces the rollout plan of a deployment to a channel or to Google Play. The plan does not start by itself. A
   * deployment to Google Play takes no `healthGate`.
   */
  @Put()
  @Requires('deployments:write')
  @ApiErrors('deployment_to_store', 'rollout_plan_state')
  async put(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Body() body: PutRolloutPlanDto,
  ): Promise<RolloutPlanDto> {
    return this.present(await this.plans.put(app.id, deploymentId, body));
  }

  /** Deletes a rollout plan that is not running. The rollout percentage does not change. */
  @Delete()
  @HttpCode(204)
  @Requires('deployments:write')
  @ApiErrors('deployment_to_store', 'rollout_plan_not_found', 'rollout_plan_state')
  async delete(@CurrentApp() app: App, @IdParam('deploymentId') deploymentId: string): Promise<void> {
    await this.plans.delete(app.id, deploymentId);
  }

  /**
   * Starts a rollout plan: the deployment gets the rollout percentage of the first step at once. For a deployment to Google Play,
   * a job asks the store for each step, and the step begins when the store has taken it. That requires `submissions:write`.
   * `warnings` says why devices of a channel do not get it all the same.
   */
  @Post('start')
  @TwoPhases()
  @HttpCode(200)
  @ApiOkResponse({ type: RolloutPlanDto })
  @Requires('deployments:write')
  @ApiErrors(
    'channel_frozen',
    'deployment_not_live',
    'deployment_superseded',
    'deployment_to_store',
    'destination_frozen',
    'release_busy',
    'release_state',
    'rollout_plan_not_found',
    'rollout_plan_state',
    'unsafe_reuse',
  )
  async start(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<() => Promise<RolloutPlanDto>> {
    await this.requireStore(caller, app, deploymentId);
    const warnings = await this.consequences.of(app, { kind: 'start-plan', deploymentId });
    return async () => {
      const plan = await this.present(await this.plans.act(app.id, deploymentId, 'start'));
      return { ...plan, warnings: toWarningDtos(warnings) };
    };
  }

  /** Holds a running rollout plan. The rollout percentage does not change. */
  @Post('hold')
  @HttpCode(200)
  @ApiBody({ type: CommentDto, required: false })
  @Requires('deployments:write')
  @ApiErrors('deployment_to_store', 'rollout_plan_not_found', 'rollout_plan_state')
  async hold(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Body() { comment = null }: CommentDto,
  ): Promise<RolloutPlanDto> {
    return this.present(await this.plans.act(app.id, deploymentId, 'hold', comment));
  }

  /**
   * Resumes a held rollout plan. Its current step starts again, and rollbacks of devices before the resumption no longer
   * count. What a store has not taken is requested again, which requires `submissions:write`.
   */
  @Post('resume')
  @HttpCode(200)
  @Requires('deployments:write')
  @ApiErrors(
    'deployment_to_store',
    'destination_frozen',
    'release_busy',
    'release_state',
    'rollout_plan_not_found',
    'rollout_plan_state',
  )
  async resume(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<RolloutPlanDto> {
    await this.requireStore(caller, app, deploymentId);
    return this.present(await this.plans.act(app.id, deploymentId, 'resume'));
  }

  /**
   * Aborts a running or held rollout plan. The rollout percentage becomes 0: devices get the previous deployment again. A release
   * on Google Play is halted by a job, which requires `submissions:write`.
   */
  @Post('abort')
  @HttpCode(200)
  @ApiBody({ type: CommentDto, required: false })
  @Requires('deployments:write')
  @ApiErrors(
    'deployment_to_store',
    'release_busy',
    'release_state',
    'rollout_plan_not_found',
    'rollout_plan_state',
  )
  async abort(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('deploymentId') deploymentId: string,
    @Body() { comment = null }: CommentDto,
  ): Promise<RolloutPlanDto> {
    await this.requireStore(caller, app, deploymentId);
    return this.present(await this.plans.act(app.id, deploymentId, 'abort', comment));
  }

  /** @throws ForbiddenError when the deployment goes to a store, and the caller may not change releases there */
  private async requireStore(caller: Principal, app: App, deploymentId: string): Promise<void> {
    if (await this.plans.isForStore(app.id, deploymentId))
      await this.access.require(caller, app.id, 'submissions:write');
  }

  private async present(plan: RolloutPlan): Promise<RolloutPlanDto> {
    return toRolloutPlanDto(plan, await this.health.count(plan));
  }
}
