import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { withinTeams } from '../organizations/teams/within-teams.js';

export interface AppRow {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Number of apps that the user sees, with those that are left out. */
  readonly total: number;
}

/** A channel on the start page, with its newest deployment. */
export interface ChannelRow {
  readonly appId: string;
  readonly name: string;
  readonly paused: boolean;
  /** Number of channels of the app, with those that are left out. */
  readonly total: number;
  /** `null`, with the two fields below: nothing was deployed to the channel. */
  readonly buildNumber: number | null;
  /** Share of devices, 0 to 1. */
  readonly rolloutPercentage: number | null;
  readonly deployedAt: Date | null;
}

/** SQL of the start page: a fixed number of statements with bounded results. */
@Injectable()
export class StartPageQueries {
  constructor(private readonly sql: Sql) {}

  /** The newest apps of these organizations that the user sees. @param limit the most apps */
  newestApps(userId: string, organizationIds: readonly string[], limit: number): Promise<AppRow[]> {
    return this.sql.query(
      `SELECT app.id, app.name, organization.id AS "organizationId", organization.name AS "organizationName",
              count(*) OVER ()::int AS total
         FROM apps AS app
         JOIN organizations AS organization ON organization.id = app.organization_id
         JOIN members AS member ON member.organization_id = app.organization_id AND member.user_id = $1
        WHERE app.organization_id = ANY($2) AND ${withinTeams}
        ORDER BY app.created_at DESC, app.id DESC LIMIT $3`,
      [userId, organizationIds, limit],
    );
  }

  /** The oldest channels of apps: those that stay, such as `production`. @param limit the most channels of one app */
  channels(appIds: readonly string[], limit: number): Promise<ChannelRow[]> {
    return this.sql.query(
      `SELECT app.id AS "appId", channel.name, channel.paused_at IS NOT NULL AS paused, channel.total,
              deployment.number AS "buildNumber", deployment.rollout_percentage AS "rolloutPercentage",
              deployment.created_at AS "deployedAt"
         FROM unnest($1::uuid[]) AS app (id)
        CROSS JOIN LATERAL (
               SELECT id, name, paused_at, created_at, count(*) OVER ()::int AS total
                 FROM channels WHERE app_id = app.id
                ORDER BY created_at, id LIMIT $2
             ) AS channel
         LEFT JOIN LATERAL (
               SELECT builds.number, deployments.rollout_percentage, deployments.created_at
                 FROM deployments JOIN builds ON builds.id = deployments.build_id
                WHERE deployments.channel_id = channel.id AND deployments.approval_status = 'approved'
                ORDER BY deployments.sequence DESC LIMIT 1
             ) AS deployment ON true
        ORDER BY channel.created_at, channel.id`,
      [appIds, limit],
    );
  }

  /** The oldest of these organizations. */
  async oldest(ids: readonly string[]): Promise<{ id: string; name: string } | null> {
    const [found] = await this.sql.query<{ id: string; name: string }>(
      'SELECT id, name FROM organizations WHERE id = ANY($1) ORDER BY created_at, id LIMIT 1',
      [ids],
    );
    return found ?? null;
  }
}
