import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** Rows that are counted at most. */
const MAX_UNDELIVERED = 10_000;

/** SQL: when the deliveries of a webhook were made that failed, without tests, as `created_at`. */
export function undeliveredOf(webhookId: string): string {
  return `SELECT delivery.created_at FROM webhook_deliveries AS delivery
    WHERE delivery.webhook_id = ${webhookId} AND delivery.status = 'failed' AND delivery.test_payload IS NULL
    ORDER BY delivery.created_at LIMIT ${MAX_UNDELIVERED}`;
}

/** How the receiver of a webhook has responded. */
export interface WebhookHealth {
  readonly webhookId: string;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  /** Events that were not delivered, up to 10,000. */
  readonly undelivered: number;
  /** When the delivery of the oldest of them was made; `null`: there are none. */
  readonly undeliveredSince: Date | null;
}

@Injectable()
export class WebhooksQueries {
  constructor(private readonly sql: Sql) {}

  /** By the id of the webhook; those that never had a delivery are missing. */
  async health(webhookIds: readonly string[]): Promise<Map<string, WebhookHealth>> {
    if (webhookIds.length === 0) return new Map();
    const rows = await this.sql.query<WebhookHealth>(
      `SELECT webhook_id AS "webhookId", unsuccessful_since AS "failingSince", last_success_at AS "lastSuccessAt",
              undelivered.count AS undelivered, undelivered.since AS "undeliveredSince"
         FROM webhook_schedules AS schedule CROSS JOIN LATERAL (
           SELECT count(*)::int AS count, min(created_at) AS since FROM (${undeliveredOf('schedule.webhook_id')}) AS failed
         ) AS undelivered
        WHERE webhook_id = ANY ($1)`,
      [webhookIds],
    );
    return new Map(rows.map((row) => [row.webhookId, row]));
  }

  /** Locks apps of an organization against a transfer. @returns whether all of them belong to it */
  async lockApps(organizationId: string, appIds: readonly string[]): Promise<boolean> {
    const rows = await this.sql.query(
      'SELECT FROM apps WHERE id = ANY ($1) AND organization_id = $2 ORDER BY id FOR SHARE',
      [appIds, organizationId],
    );
    return rows.length === appIds.length;
  }

  /** Moves the webhooks of an app to the organization that has it now, and disables those that are enabled. */
  async moveToOrganizationOfApp(appId: string): Promise<void> {
    await this.sql.execute(
      `UPDATE webhooks
          SET organization_id = apps.organization_id,
              enabled = false,
              disabled_reason = CASE WHEN enabled THEN 'app-transferred' ELSE disabled_reason END
         FROM apps
        WHERE apps.id = $1 AND webhooks.app_id = apps.id`,
      [appId],
    );
  }
}
