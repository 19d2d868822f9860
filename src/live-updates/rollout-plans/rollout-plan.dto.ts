import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type Health,
  type PlanReason,
  planReasons,
  type PlanState,
  planStates,
  type RolloutPlan,
} from './rollout-plan.entity.js';
import { DeploymentHealthDto, toDeploymentHealthDto } from '../deployment-health/deployment-health.dto.js';
import { confidences } from '../deployment-health/wilson-interval.js';

/** One step of a plan. */
export class RolloutStepDto {
  /** Share of devices, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  percentage!: number;

  /** How long the step lasts; `null` for the last one. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  durationMinutes!: number | null;
}

/** When devices that went back to an older bundle stop the plan. */
export class HealthGateDto {
  /** The largest acceptable share of these devices, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  maxFailureShare!: number;

  /** Minimum number of devices that ran the bundle. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  minDevices!: number;

  /** Required confidence that the share is larger, such as 0.95. */
  @ApiProperty({ type: 'number', enum: confidences })
  confidence!: number;
}

/** A plan that raises the share of a deployment step by step. */
@ApiExample({
  steps: [
    { percentage: 0.1, durationMinutes: 60 },
    { percentage: 1, durationMinutes: null },
  ],
})
export class RolloutPlanDto {
  @ApiId()
  id!: string;

  @ApiId()
  appDeploymentId!: string;

  /** In their order. */
  @ApiProperty({ type: [RolloutStepDto] })
  steps!: RolloutStepDto[];

  @ApiProperty({ type: HealthGateDto, nullable: true })
  healthGate!: HealthGateDto | null;

  @ApiProperty({ enum: planStates })
  state!: PlanState;

  /** Why it is held or aborted; otherwise `null`. */
  @ApiProperty({ type: 'string', enum: [...planReasons, null], nullable: true })
  reason!: PlanReason | null;

  /** What the store says that has held or ended it, with the reason `store`; otherwise `null`. */
  @ApiProperty({ type: 'string', nullable: true })
  storeMessage!: string | null;

  @ApiTime()
  stateSince!: string;

  /** Index of the current step, from 0; `null` before the start. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  stepIndex!: number | null;

  /** `null` before the start, and while a store has not taken the percentage of the step. */
  @ApiTime()
  stepStartedAt!: string | null;

  /** When the next step is due; `null` unless it is running, and while a store has not taken the percentage. */
  @ApiTime()
  stepEndsAt!: string | null;

  /** End of the freeze that the next step waits for; otherwise `null`. */
  @ApiTime()
  frozenUntil!: string | null;

  /** Current device counts. */
  health!: DeploymentHealthDto;

  /** Device counts when the health gate held the plan; otherwise `null`. */
  @ApiProperty({ type: DeploymentHealthDto, nullable: true })
  evidence!: DeploymentHealthDto | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a plan. */
export function toRolloutPlanDto(plan: RolloutPlan, health: Health): RolloutPlanDto {
  const confidence = plan.healthGate?.confidence;
  const { healthGate: gate, evidence } = plan;
  return {
    id: plan.id,
    appDeploymentId: plan.deploymentId,
    steps: plan.steps.map(({ percentage, durationMinutes }) => ({ percentage, durationMinutes })),
    healthGate:
      gate === null
        ? null
        : { maxFailureShare: gate.maxFailureShare, minDevices: gate.minDevices, confidence: gate.confidence },
    state: plan.state,
    reason: plan.reason,
    storeMessage: plan.storeMessage,
    stateSince: plan.stateSince.toISOString(),
    stepIndex: plan.stepIndex,
    stepStartedAt: plan.stepStartedAt?.toISOString() ?? null,
    stepEndsAt: plan.stepEndsAt?.toISOString() ?? null,
    frozenUntil: plan.frozenUntil?.toISOString() ?? null,
    health: toDeploymentHealthDto(health, confidence),
    evidence: evidence === null ? null : toDeploymentHealthDto(evidence, confidence),
    createdAt: plan.createdAt.toISOString(),
    updatedAt: plan.updatedAt.toISOString(),
  };
}
