import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { DeploymentHealthDto, toDeploymentHealthDto } from '../deployment-health/deployment-health.dto.js';
import { confidences } from '../deployment-health/wilson-interval.js';
import { RefuseUnknownFields } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { WarningDto } from '../../common/warnings/warning.dto.js';
import {
  type Health,
  type PlanReason,
  planReasons,
  type PlanState,
  planStates,
  type RolloutPlan,
} from './rollout-plan.entity.js';

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
  warnings: [],
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

  /** What the user said who has held or aborted it; `null`: nothing. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

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

  /** Why devices do not get it all the same. Only the response to its start has any. */
  warnings!: WarningDto[];

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
    comment: plan.comment,
    stateSince: plan.stateSince.toISOString(),
    stepIndex: plan.stepIndex,
    stepStartedAt: plan.stepStartedAt?.toISOString() ?? null,
    stepEndsAt: plan.stepEndsAt?.toISOString() ?? null,
    frozenUntil: plan.frozenUntil?.toISOString() ?? null,
    health: toDeploymentHealthDto(health, confidence),
    evidence: evidence === null ? null : toDeploymentHealthDto(evidence, confidence),
    warnings: [],
    createdAt: plan.createdAt.toISOString(),
    updatedAt: plan.updatedAt.toISOString(),
  };
}

const MAX_STEPS = 20;
/** Thirty days. */
const MAX_DURATION = 43_200;
const MAX_DEVICES = 1_000_000;
const DEFAULT_CONFIDENCE = 0.95;
const duration = `$property must be a whole number from 1 to ${MAX_DURATION}.`;
const devices = `$property must be a whole number from 1 to ${MAX_DEVICES}.`;

/** One step of a plan. */
class RolloutStepInputDto {
  /** Share of devices, 0 to 1; more than in the step before. */
  @IsShare()
  percentage!: number;

  /** How long the step lasts, in minutes; absent for the last one, required for the others. */
  @IsNullable()
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_DURATION, nullable: true })
  @Max(MAX_DURATION, { message: duration })
  @Min(1, { message: duration })
  @IsInt({ message: duration })
  durationMinutes?: number | null;
}

/** When devices that went back to an older bundle stop the plan. */
class HealthGateInputDto {
  /** The largest acceptable share of these devices, 0 to 1. */
  @IsShare()
  maxFailureShare!: number;

  /** Minimum number of devices that ran the bundle. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_DEVICES })
  @Max(MAX_DEVICES, { message: devices })
  @Min(1, { message: devices })
  @IsInt({ message: devices })
  minDevices!: number;

  /** Required confidence that the share is larger, such as 0.95. */
  @IsAbsentOr()
  @ApiPropertyOptional({ type: 'number', enum: confidences, default: DEFAULT_CONFIDENCE })
  @IsIn(confidences, { message: `$property must be one of ${confidences.join(', ')}.` })
  confidence: number = DEFAULT_CONFIDENCE;
}

/** The steps of a rollout plan, and when to hold it. */
@ApiExample({ steps: [{ percentage: 0.1, durationMinutes: 60 }, { percentage: 1 }] })
@RefuseUnknownFields(RolloutPlanDto, 'deploymentId')
export class PutRolloutPlanDto {
  /** The steps in their order, with growing shares. */
  @ApiProperty({ type: [RolloutStepInputDto], minItems: 1, maxItems: MAX_STEPS })
  @ValidateNested({ each: true, message: '$property must hold objects with percentage and durationMinutes.' })
  @Type(() => RolloutStepInputDto)
  // Nested arrays would not be validated.
  @IsObject({ each: true, message: '$property must hold objects with percentage and durationMinutes.' })
  @ArrayMaxSize(MAX_STEPS, { message: `$property must hold at most ${MAX_STEPS} steps.` })
  @ArrayMinSize(1, { message: '$property must hold at least one step.' })
  @IsArray({ message: '$property must be a list.' })
  steps!: RolloutStepInputDto[];

  /** Holds the plan when the bundle fails; `null` or absent: nothing does. */
  @IsNullable()
  @ApiPropertyOptional({ type: HealthGateInputDto, nullable: true })
  @ValidateNested({ message: '$property must be an object.' })
  @Type(() => HealthGateInputDto)
  @IsObject({ message: '$property must be an object.' })
  healthGate?: HealthGateInputDto | null;
}
