import { ApiProperty } from '@nestjs/swagger';
import { DeploymentSummaryDto } from '../deployment-events/deployment-summary.dto.js';

/** A deployment whose bundle many devices roll back. */
export class RollbacksHighEventDto extends DeploymentSummaryDto {
  /** Devices that have run its bundle. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  appliedDevices!: number;

  /** Devices among them that went back to another bundle. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  rolledBackDevices!: number;

  /** Share of the devices that went back, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rollbackShare!: number;

  /** The share that was crossed: 0.05 or 0.2. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  threshold!: number;
}
