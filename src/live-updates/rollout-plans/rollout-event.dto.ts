import { ApiProperty } from '@nestjs/swagger';
import { ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { DeploymentSummaryDto } from '../deployment-events/deployment-event.dto.js';
import { type PlanReason, planReasons } from './rollout-plan.entity.js';

/** The rollout plan of a deployment as events show it. */
export class RolloutEventDto extends DeploymentSummaryDto {
  /** The current step, from 0; `null`: it has not begun. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  stepIndex!: number | null;

  /** How many steps the plan has. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  totalSteps!: number;

  /** When the next step is due; `null`: there is none, the plan is not running, or a store has not taken the share. */
  @ApiTime()
  stepEndsAt!: string | null;

  /** Why it is held or aborted; otherwise `null`. */
  @ApiProperty({ type: 'string', enum: [...planReasons, null], nullable: true })
  reason!: PlanReason | null;

  /** What the store says, with the reason `store`; otherwise `null`. */
  @ApiProperty({ type: 'string', nullable: true })
  storeMessage!: string | null;

  /** What the user said who held or aborted it; otherwise `null`. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

  /** Devices that had run the bundle when the health gate held the plan; otherwise `null`. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  appliedDevices!: number | null;

  /** Devices among those that rolled back. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  rolledBackDevices!: number | null;
}
