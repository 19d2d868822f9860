import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { boundsOf, type Page } from '../../common/pagination/page.js';
import { Config } from '../../config/config.js';
import {
  type BundleRetentionDto,
  type RetainedBundleDto,
  toRetainedBundleDto,
  type ListRetainedBundlesQuery,
} from './bundle-retention.dto.js';
import { RetentionQueries } from './retention.queries.js';

/** Shows what retention would do. */
@Injectable()
export class BundleRetentionService {
  constructor(
    private readonly queries: RetentionQueries,
    private readonly config: Config,
  ) {}

  /** What would go of an app, and what is kept. */
  async get(app: App): Promise<BundleRetentionDto> {
    const expiring = await this.queries.plan(app.id, { kept: false });
    const groups = await this.queries.groups(app.id, { kept: true });
    return {
      bundleRetentionCount: app.bundleRetentionCount,
      graceDays: this.config.retention.graceDays,
      expiringBundles: expiring.length,
      freedSizeInBytes: await this.queries.freed(expiring.map(({ bundleId }) => bundleId)),
      kept: groups.flatMap(({ reason, ...sum }) => (reason === null ? [] : [{ reason, ...sum }])),
    };
  }

  /** Each bundle, the newest build first. */
  async list(appId: string, query: ListRetainedBundlesQuery): Promise<Page<RetainedBundleDto>> {
    const filter = {
      ...(query.status === undefined ? {} : { kept: query.status === 'kept' }),
      ...(query.reason === undefined ? {} : { reason: query.reason }),
    };
    const bundles = await this.queries.plan(appId, filter, boundsOf(query));
    const groups = await this.queries.groups(appId, filter);
    return {
      items: bundles.map((bundle) => toRetainedBundleDto(bundle, this.config.retention.graceDays)),
      total: groups.reduce((total, { bundles: count }) => total + count, 0),
    };
  }
}
