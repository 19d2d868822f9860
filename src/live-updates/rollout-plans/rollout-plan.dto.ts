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
import { confidences, wilsonInterval } from './wilson-interval.js';

/** For plans without a gate. */
const DEFAULT_CONFIDENCE = 0.95;

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

/** Bounds of a share, each with the confidence of the gate, or 0.95. */
export class ShareBoundsDto {
  /** The share is above it; 0 as long as nothing is known. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  lower!: number;

  /** The share is below it; 1 as long as nothing is known. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  upper!: number;
}

/** Device counts of the deployment. */
export class RolloutHealthDto {
  /** Devices whose last check was offered the deployment. */
  @ApiProperty({ type: 'integer' })
  offered!: number;

  /** Devices among them that have run its bundle, but for those that went back before the plan was resumed. */
  @ApiProperty({ type: 'integer' })
  applied!: number;

  /** Devices among those that reported another bundle later. */
  @ApiProperty({ type: 'integer' })
  rolledBack!: number;

  /** Devices that asked again a day or more after the first offer and have never run it. No failure for the gate. */
  @ApiProperty({ type: 'integer' })
  notApplied!: number;

  /**
   * Devices that are not offered the deployment again, because they rolled its bundle back as often as `rollbackLimit` of
   * the channel says. They count in `offered`, `applied` and `rolledBack`, too.
   */
  @ApiProperty({ type: 'integer' })
  blocked!: number;

  /** Wilson bounds of the share of `rolledBack` in `applied`. */
  failureShare!: ShareBoundsDto;
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

  @ApiTime()
  stateSince!: string;

  /** Index of the current step, from 0; `null` before the start. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  stepIndex!: number | null;

  @ApiTime()
  stepStartedAt!: string | null;

  /** When the next step is due; `null` unless it is running. */
  @ApiTime()
  stepEndsAt!: string | null;

  /** End of the freeze that the next step waits for; otherwise `null`. */
  @ApiTime()
  frozenUntil!: string | null;

  /** Current device counts. */
  health!: RolloutHealthDto;

  /** Device counts when the health gate held the plan; otherwise `null`. */
  @ApiProperty({ type: RolloutHealthDto, nullable: true })
  evidence!: RolloutHealthDto | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a plan. */
export function toRolloutPlanDto(plan: RolloutPlan, health: Health): RolloutPlanDto {
  const confidence = plan.healthGate?.confidence ?? DEFAULT_CONFIDENCE;
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
    stateSince: plan.stateSince.toISOString(),
    stepIndex: plan.stepIndex,
    stepStartedAt: plan.stepStartedAt?.toISOString() ?? null,
    stepEndsAt: plan.stepEndsAt?.toISOString() ?? null,
    frozenUntil: plan.frozenUntil?.toISOString() ?? null,
    health: toHealthDto(health, confidence),
    evidence: evidence === null ? null : toHealthDto(evidence, confidence),
    createdAt: plan.createdAt.toISOString(),
    updatedAt: plan.updatedAt.toISOString(),
  };
}

function toHealthDto(health: Health, confidence: number): RolloutHealthDto {
  const { offered, applied, rolledBack, notApplied, blocked = 0 } = health;
  const failureShare = wilsonInterval(rolledBack, applied, confidence);
  return { offered, applied, rolledBack, notApplied, blocked, failureShare };
}
