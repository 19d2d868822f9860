import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/** The state of the process. */
export class HealthDto {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

/** What a process is ready for. */
const purposes = ['all', 'writes'] as const;

/** Which readiness is asked for. */
export class ReadinessQuery {
  /** `writes`: also checks that files can be stored, at most every 10 seconds. */
  @ApiPropertyOptional({ enum: purposes, default: 'all' })
  @IsOptional()
  @IsIn(purposes, { message: `for must be one of ${purposes.join(', ')}.` })
  for?: (typeof purposes)[number];
}
