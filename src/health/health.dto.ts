import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/** What a process is ready for. */
const purposes = ['all', 'writes'] as const;

/** The state of the process. */
export class HealthDto {
  @ApiProperty({
    enum: ['ok', 'degraded'],
    description: '`degraded`: the database is not available, and update checks are answered from memory.',
  })
  status!: 'ok' | 'degraded';
}

/** The readiness of the process. */
export class ReadinessDto extends HealthDto {
  /**
   * The version of Slipway that runs.
   * @example '0.1.0'
   */
  version!: string;
}

/** Which readiness is asked for. */
export class ReadinessQuery {
  /** `writes`: ready only with a database and a storage that can be written; the storage is tried at most every 10 seconds. `all`: also ready while update checks are answered without it. */
  @ApiPropertyOptional({ enum: purposes, default: 'all' })
  @IsOptional()
  @IsIn(purposes, { message: `for must be one of ${purposes.join(', ')}.` })
  for?: (typeof purposes)[number];
}
