import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { emptyAsAbsent } from '../../common/validation/empty-as-absent.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import type { KeptReason } from './retention.queries.js';
import { keptReasons } from './retention-plan.js';

export const retentionStatuses = ['expiring', 'kept'] as const;
export type RetentionStatus = (typeof retentionStatuses)[number];

/** Which bundles are wanted. */
export class ListRetainedBundlesQuery extends PageQuery {
  /** `expiring`: those that nothing needs. */
  @ApiPropertyOptional({ enum: retentionStatuses, enumName: 'BundleRetentionStatus' })
  @Transform(({ value }: { value: unknown }) => emptyAsAbsent(value))
  @IsOptional()
  @IsIn(retentionStatuses, { message: `$property must be one of ${retentionStatuses.join(', ')}.` })
  status?: RetentionStatus;

  /** Those that are kept for this reason. */
  @ApiPropertyOptional({ enum: keptReasons, enumName: 'BundleRetentionReason' })
  @Transform(({ value }: { value: unknown }) => emptyAsAbsent(value))
  @IsOptional()
  @IsIn(keptReasons, { message: `$property must be one of ${keptReasons.join(', ')}.` })
  reason?: KeptReason;
}
