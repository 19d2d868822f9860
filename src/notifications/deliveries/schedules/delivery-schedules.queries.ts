import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql.js';
import { notSuspended } from '../../../organizations/organizations/suspensions.js';
import type { WebhookSchedule } from '../webhook-schedule.entity.js';
import { trusted } from './trusted-times.js';

/** A schedule that is planned now, and what its job needs. */
export type WokenSchedule = Pick<
  WebhookSchedule,
  'webhookId' | 'failures' | 'busyResponses' | 'isSlow' | 'runNumber'
> & {
  readonly organizationId: string;
};

@Injectable()
export class DeliverySchedulesQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Makes the webhooks due of which no run is planned, or one that new deliveries need not wait for. It locks the schedules of all of them, so that a run that is about to
   * end sees what was committed before, or this sees that the run has ended.
   */
  async wake(webhookIds: readonly string[], dueAt: Date): Promise<WokenSchedule[]> {
    return this.sql.query(
      `WITH woken AS (
         INSERT INTO webhook_schedules AS schedule (webhook_id, due_at)
         SELECT id, $2 FROM webhooks WHERE id = ANY ($1) ORDER BY id
         ON CONFLICT (webhook_id) DO UPDATE
           SET due_at = EXCLUDED.due_at, wakes = false, run_number = schedule.run_number + 1,
               early_at = CASE WHEN schedule.rests_until > EXCLUDED.due_at THEN EXCLUDED.due_at END
           WHERE schedule.due_at IS NULL OR schedule.wakes AND schedule.due_at > EXCLUDED.due_at
         RETURNING webhook_id, failures, busy_responses, is_slow, run_number
       )
       SELECT woken.webhook_id AS "webhookId", woken.failures, woken.busy_responses AS "busyResponses",
              woken.is_slow AS "isSlow", woken.run_number AS "runNumber",
              webhooks.organization_id AS "organizationId"
       FROM woken JOIN webhooks ON webhooks.id = woken.webhook_id`,
      [webhookIds, dueAt],
    );
  }

  /** The time by the clock of the database. @param later milliseconds to add */
  async clock(later = 0): Promise<Date> {
    const [row] = await this.sql.query<{ now: Date }>(
      `SELECT date_trunc('milliseconds', clock_timestamp()) + $1 * interval '1 millisecond' AS now`,
      [later],
    );
    return (row as { now: Date }).now;
  }

  /** Locks the schedule of a webhook until the transaction ends, and makes it if there is none. */
  async lock(webhookId: string): Promise<void> {
    await this.sql.execute(
      `INSERT INTO webhook_schedules (webhook_id) VALUES ($1)
       ON CONFLICT (webhook_id) DO UPDATE SET webhook_id = EXCLUDED.webhook_id`,
      [webhookId],
    );
  }

  async takeUrgent(webhookId: string, ids: readonly string[]): Promise<void> {
    await this.sql.execute(
      `UPDATE webhook_schedules SET urgent_ids = ARRAY (
         SELECT id FROM unnest(urgent_ids) AS id WHERE NOT id = ANY ($2)
       ) WHERE webhook_id = $1`,
      [webhookId, ids],
    );
  }

  /**
   * Webhooks with pending deliveries whose run was lost: it is late, was never planned, is planned by a clock that was
   * wrong, or does not know of new deliveries, as servers of a former version plan. Those of suspended organizations wait.
   *
   * @param lateBefore what should have begun before is late
   * @param webhookId one of them, or none; by default all
   */
  async findLost(
    lateBefore: Date,
    webhookId: string | null = null,
  ): Promise<{ readonly id: string; readonly organizationId: string }[]> {
    return this.sql.query(
      `SELECT webhook.id, webhook.organization_id AS "organizationId" FROM webhooks AS webhook
       LEFT JOIN webhook_schedules AS schedule ON schedule.webhook_id = webhook.id
       WHERE ($2::uuid IS NULL OR webhook.id = $2) AND ${notSuspended('webhook.organization_id')}
         AND (schedule.due_at IS NULL OR schedule.due_at < $1 OR NOT ${trusted('schedule.due_at')}
           OR schedule.wakes AND schedule.rests_until IS NULL AND EXISTS (
             SELECT FROM webhook_deliveries AS delivery
             WHERE delivery.webhook_id = webhook.id AND delivery.status = 'pending' AND NOT delivery.set_aside
           ))
         AND EXISTS (
           SELECT FROM webhook_deliveries AS delivery
           WHERE delivery.webhook_id = webhook.id AND delivery.status = 'pending'
         )
       ORDER BY webhook.id`,
      [lateBefore, webhookId],
    );
  }
}
