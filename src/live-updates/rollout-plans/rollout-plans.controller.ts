import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { PutRolloutPlanDto } from './put-rollout-plan.dto.js';
import { RolloutHealthQueries } from './rollout-health.queries.js';
import { RolloutPlanDto, toRolloutPlanDto } from './rollout-plan.dto.js';
import type { RolloutPlan } from './rollout-plan.entity.js';
import { RolloutPlansService } from './rollout-plans.service.js';

@ApiTags('Rollout plans')
@Controller('apps/:appId/deployments/:deploymentId/rollout-plan')
@AfterCheckIns()
export class RolloutPlansController {
  constructor(
    private readonly plans: RolloutPlansService,
    private readonly health: RolloutHealthQueries,
  ) {}

  /** The rollout plan of a deployment: where it is, and what devices have shown. */
  @Get()
  @Requires('deployments:read')
  async get(@CurrentApp() app: App, @IdParam('deploymentId') deploymentId: string): Promise<RolloutPlanDto> {
    return this.present(await this.plans.get(app.id, deploymentId));
  }

  /** Gives a deployment a rollout plan, in place of one that it may have. It has to be started. */
  @Put()
  @Requires('deployments:write')
  @ApiErrors(409)
  async put(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
    @Body() body: PutRolloutPlanDto,
  ): Promise<RolloutPlanDto> {
    return this.present(await this.plans.put(app.id, deploymentId, body));
  }

  /** Deletes a rollout plan that is not running. The share stays as it is. */
  @Delete()
  @HttpCode(204)
  @Requires('deployments:write')
  @ApiErrors(409)
  async delete(@CurrentApp() app: App, @IdParam('deploymentId') deploymentId: string): Promise<void> {
    await this.plans.delete(app.id, deploymentId);
  }

  /** Starts a rollout plan: the deployment gets the share of the first step at once. */
  @Post('start')
  @HttpCode(200)
  @Requires('deployments:write')
  @ApiErrors(409)
  async start(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<RolloutPlanDto> {
    return this.present(await this.plans.act(app.id, deploymentId, 'start'));
  }

  /** Holds a running rollout plan. The share stays as it is. */
  @Post('hold')
  @HttpCode(200)
  @Requires('deployments:write')
  @ApiErrors(409)
  async hold(@CurrentApp() app: App, @IdParam('deploymentId') deploymentId: string): Promise<RolloutPlanDto> {
    return this.present(await this.plans.act(app.id, deploymentId, 'hold'));
  }

  /**
   * Lets a rollout plan go on that is held. Its step begins anew. Devices that went back to an older bundle before do not
   * count any more.
   */
  @Post('resume')
  @HttpCode(200)
  @Requires('deployments:write')
  @ApiErrors(409)
  async resume(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<RolloutPlanDto> {
    return this.present(await this.plans.act(app.id, deploymentId, 'resume'));
  }

  /** Aborts a rollout plan that is running or held. The share becomes 0: devices are offered an older deployment again. */
  @Post('abort')
  @HttpCode(200)
  @Requires('deployments:write')
  @ApiErrors(409)
  async abort(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<RolloutPlanDto> {
    return this.present(await this.plans.act(app.id, deploymentId, 'abort'));
  }

  private async present(plan: RolloutPlan): Promise<RolloutPlanDto> {
    return toRolloutPlanDto(plan, await this.health.count(plan));
  }
}
