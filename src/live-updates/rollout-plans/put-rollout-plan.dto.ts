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
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { confidences } from '../deployment-health/wilson-interval.js';

const MAX_STEPS = 20;
/** Thirty days. */
const MAX_DURATION = 43_200;
const MAX_DEVICES = 1_000_000;
const DEFAULT_CONFIDENCE = 0.95;
const duration = `$property must be a whole number from 1 to ${MAX_DURATION}.`;
const devices = `$property must be a whole number from 1 to ${MAX_DEVICES}.`;

/** One step of a plan. */
export class RolloutStepInputDto {
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
export class HealthGateInputDto {
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
