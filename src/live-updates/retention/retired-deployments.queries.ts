import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** Deleted bundles that are remembered of one channel at most, the newest ones: update checks have them in memory. */
const MAX_PER_CHANNEL = 100;

/**
 * Remembers the order of deployments of expired bundles that are deleted. An expired bundle is offered only to the
 * devices that run it, so what is below it in its channel is served to all others. A device that returns after its bundle
 * was deleted would be one of those others, and install something older than what it runs.
 */
@Injectable()
export class RetiredDeploymentsQueries {
  constructor(private readonly sql: Sql) {}

  /** To be called in the transaction that deletes a bundle, before that. Does nothing for one that has not expired. */
  async retire(bundleId: string): Promise<void> {
    await this.sql.execute(
      `INSERT INTO retired_deployments (channel_id, bundle_id, app_id, sequence)
       SELECT deployment.channel_id, bundle.id, bundle.app_id, max(deployment.sequence)
         FROM bundles AS bundle
         JOIN build_artifacts AS artifact ON artifact.id = bundle.id
         JOIN deployments AS deployment ON deployment.build_id = artifact.build_id
        WHERE bundle.id = $1 AND bundle.expires_at <= now() AND deployment.approval_status = 'approved'
        GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING`,
      [bundleId],
    );
  }

  /**
   * Forgets what no decision needs: what is older than all deployments of its channel, since nothing older can be offered,
   * and the oldest beyond 100 of a channel.
   */
  async prune(appId: string): Promise<void> {
    await this.sql.execute(
      `DELETE FROM retired_deployments AS retired
        USING (SELECT channel_id, bundle_id, row_number() OVER (PARTITION BY channel_id ORDER BY sequence DESC) AS number
                 FROM retired_deployments WHERE app_id = $1) AS ranked
        WHERE retired.channel_id = ranked.channel_id AND retired.bundle_id = ranked.bundle_id
          AND (ranked.number > ${MAX_PER_CHANNEL}
               OR NOT EXISTS (SELECT FROM deployments
                               WHERE channel_id = retired.channel_id AND sequence < retired.sequence
                                 AND approval_status <> 'rejected'))`,
      [appId],
    );
  }
}
