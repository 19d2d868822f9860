import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { WebhookChannels } from '../../notifications/webhooks/webhook-channels.js';
import type { WebhookOwner } from '../../notifications/webhooks/webhook-owner.js';
import { Deployment } from '../deployments/deployment.entity.js';
import type { ChannelSummary } from './channel.dto.js';

@Injectable()
export class ChannelsQueries implements WebhookChannels {
  constructor(private readonly sql: Sql) {}

  /** Newest deployment and counts of channels, by the id of the channel, in one statement. */
  async summaries(ids: readonly string[]): Promise<Map<string, ChannelSummary>> {
    const rows = await this.sql.query<ChannelSummary & { id: string }>(
      `SELECT channel.id,
              (SELECT id FROM deployments WHERE channel_id = channel.id AND approval_status = 'approved'
                ORDER BY sequence DESC LIMIT 1) AS "latestDeploymentId",
              (SELECT count(*)::int FROM deployments WHERE channel_id = channel.id) AS "totalDeployments",
              (SELECT count(*)::int FROM devices WHERE channel_id = channel.id) AS "totalDevices"
         FROM unnest($1::uuid[]) AS channel (id)`,
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
