import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { WebhookChannels } from '../../notifications/webhooks/webhook-channels.js';
import type { WebhookOwner } from '../../notifications/webhooks/webhook-owner.js';
import { Deployment } from '../deployments/deployment.entity.js';
import type { ChannelSummary } from './channel.dto.js';

@Injectable()
export class ChannelsQueries implements WebhookChannels {
  constructor(private readonly sql: Sql) {}

  /**
   * Newest and last good deployment and counts of channels, by the id of the channel, in one statement. Of deployments from
   * before their reach was remembered, those are good whose share is 1.
   */
  async summaries(ids: readonly string[]): Promise<Map<string, ChannelSummary>> {
    const rows = await this.sql.query<ChannelSummary & { id: string }>(
      `SELECT channel.id,
              latest.id AS "latestDeploymentId",
              (SELECT json_build_object('appDeploymentId', good.id, 'appBuildId', build.id, 'appBuildNumber', build.number)
                 FROM deployments AS good JOIN builds AS build ON build.id = good.build_id
                WHERE good.channel_id = channel.id AND good.approval_status = 'approved'
                  AND good.sequence < latest.sequence AND good.build_id <> latest.build_id
                  AND (good.reached_all_at IS NOT NULL OR good.rollout_percentage = 1)
                  AND good.taken_back_at IS NULL
                ORDER BY good.sequence DESC LIMIT 1) AS "lastGood",
              (SELECT count(*)::int FROM deployments WHERE channel_id = channel.id) AS "totalDeployments",
              (SELECT count(*)::int FROM devices WHERE channel_id = channel.id) AS "totalDevices"
         FROM unnest($1::uuid[]) AS channel (id)
         LEFT JOIN LATERAL (SELECT id, build_id, sequence FROM deployments
                             WHERE channel_id = channel.id AND approval_status = 'approved'
                             ORDER BY sequence DESC LIMIT 1) AS latest ON true`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Deployments, by id. */
  async deployments(ids: readonly string[]): Promise<Map<string, Deployment>> {
    const rows = await this.sql.query<Deployment>(
      `SELECT ${this.sql.columns(Deployment, 'deployment')} FROM deployments AS deployment WHERE id = ANY($1)`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  async areChannels(
    { organizationId, appId }: WebhookOwner,
    channelIds: readonly string[],
  ): Promise<boolean> {
    const [found] = await this.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM channels JOIN apps ON apps.id = channels.app_id
        WHERE channels.id = ANY ($1) AND apps.organization_id = $2 AND ($3::uuid IS NULL OR apps.id = $3)`,
      [channelIds, organizationId, appId],
    );
    return found?.count === channelIds.length;
  }
}
