import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import type { KeptReason } from './retention.queries.js';
import { keptReasons } from './retention-plan.js';

export const retentionStatuses = ['expiring', 'kept'] as const;
export type RetentionStatus = (typeof retentionStatuses)[number];

/** Which bundles are wanted. */
export class ListRetainedBundlesQuery extends PageQuery {
  /** `expiring`: those that nothing needs. */
  @IsEmptyOr()
  @IsOneOf(retentionStatuses, 'BundleRetentionStatus')
  status?: RetentionStatus;

  /** Those that are kept for this reason. */
  @IsEmptyOr()
  @IsOneOf(keptReasons, 'BundleRetentionReason')
  reason?: KeptReason;
}
