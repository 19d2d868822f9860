import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import type { KeptReason } from './retention.queries.js';
import { keptReasons } from './retention-plan.js';

export const retentionStatuses = ['expiring', 'kept'] as const;
export type RetentionStatus = (typeof retentionStatuses)[number];

/** Which bundles to list. */
export class ListRetainedBundlesQuery extends PageQuery {
  /** Only bundles with this status. `expiring`: nothing needs them. */
  @IsEmptyOr()
  @IsOneOf(retentionStatuses, 'BundleRetentionStatus')
  status?: RetentionStatus;

  /** Only bundles kept for this reason. */
  @IsEmptyOr()
  @IsOneOf(keptReasons, 'BundleRetentionReason')
  reason?: KeptReason;
}
