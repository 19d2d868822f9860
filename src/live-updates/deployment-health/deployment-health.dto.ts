import { ApiProperty } from '@nestjs/swagger';
import type { Health } from '../rollout-plans/rollout-plan.entity.js';
import { wilsonInterval } from './wilson-interval.js';

/** Where no health gate has another one. */
const DEFAULT_CONFIDENCE = 0.95;

/** Bounds of a share, each with the confidence of the plan's health gate, or 0.95. */
export class ShareBoundsDto {
  /** The share is above it; 0 as long as nothing is known. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  lower!: number;

  /** The share is below it; 1 as long as nothing is known. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  upper!: number;
}

/** Device counts of the deployment. */
export class DeploymentHealthDto {
  /** Devices whose last check was offered the deployment. */
  @ApiProperty({ type: 'integer' })
  offered!: number;

  /**
   * Devices among them that have run its bundle. In a rollout plan without those that went back before the plan was
   * resumed.
   */
  @ApiProperty({ type: 'integer' })
  applied!: number;

  /** Devices among those that reported another bundle later. */
  @ApiProperty({ type: 'integer' })
  rolledBack!: number;

  /** Devices that asked again a day or more after the first offer and have never run it. No failure for a health gate. */
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

/**
 * The response for device counts.
 *
 * @param confidence of the bounds, 0 to 1
 */
export function toDeploymentHealthDto(health: Health, confidence = DEFAULT_CONFIDENCE): DeploymentHealthDto {
  const { offered, applied, rolledBack, notApplied, blocked = 0 } = health;
  const failureShare = wilsonInterval(rolledBack, applied, confidence);
  return { offered, applied, rolledBack, notApplied, blocked, failureShare };
}
