import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql.js';
import { undeliveredOf } from '../../webhooks/webhooks.queries.js';
import { Webhook } from '../../webhooks/webhook.entity.js';
import type { DeliveryAttempt, WebhookDelivery } from '../webhook-delivery.entity.js';
import { WebhookSchedule } from '../webhook-schedule.entity.js';
import type { DeliveryJob } from './delivery-queues.js';

/** An event as it was recorded, and what the formats show of its app and user. */
export interface SourceEvent {
  readonly type: string;
  readonly createdAt: Date;
  readonly organizationId: string;
  readonly appId: string | null;
  /** `null`: no app, or it has another organization by now. */
  readonly appName: string | null;
  /** `null`: no user, or no longer a member. */
  readonly userName: string | null;
  readonly objectId: string;
  readonly channelId: string | null;
  readonly userId: string | null;
  readonly epoch: string | null;
  readonly position: number;
  readonly data: object;
}

/** A delivery with its event. */
export type PendingDelivery = Pick<
  WebhookDelivery,
  'id' | 'eventId' | 'eventType' | 'attemptCount' | 'attempts' | 'failures' | 'failingSince' | 'testPayload'
> & {
  /** That the event is about. Of a test, its own id. */
  readonly objectId: string;
  /** Whether its object is set aside. */
  readonly isAside: boolean;
  /** `null`: a test, or the event has been deleted. */
  readonly event: SourceEvent | null;
};

/** What an attempt makes of a delivery. */
export type WrittenAttempt = Pick<
  WebhookDelivery,
  'status' | 'reason' | 'responseBody' | 'failures' | 'failingSince'
> & {
  readonly attempts: readonly DeliveryAttempt[];
  readonly attemptedAt: Date;
};

/** The columns of a delivery and its event, for `FROM_DELIVERY`. */
const DELIVERY_COLUMNS = `
  delivery.id, delivery.event_id AS "eventId", delivery.event_type AS "eventType",
  delivery.attempt_count AS "attemptCount", delivery.attempts, delivery.failures,
  delivery.failing_since AS "failingSince", delivery.test_payload AS "testPayload", delivery.object_id AS "objectId",
  EXISTS (
    SELECT FROM webhook_objects_aside AS aside
    WHERE aside.webhook_id = delivery.webhook_id AND aside.object_id = delivery.object_id
  ) AS "isAside",
  CASE WHEN event.id IS NOT NULL THEN jsonb_build_object(
    'type', event.type, 'organizationId', event.organization_id, 'appId', event.app_id, 'appName', app.name,
    'objectId', event.object_id, 'channelId', event.channel_id, 'userId', event.user_id,
    'userName', actor.name, 'epoch', event.epoch, 'position', event.position, 'data', event.data
  ) END AS event,
  event.created_at AS "eventCreatedAt"`;

const FROM_DELIVERY = `
  webhook_deliveries AS delivery
  LEFT JOIN events AS event ON event.id = delivery.event_id
  LEFT JOIN apps AS app ON app.id = event.app_id AND app.organization_id = event.organization_id
  LEFT JOIN members AS member ON member.user_id = event.user_id AND member.organization_id = event.organization_id
  LEFT JOIN users AS actor ON actor.id = member.user_id`;

type DeliveryRow = Omit<PendingDelivery, 'event'> & {
  readonly event: Omit<SourceEvent, 'createdAt'> | null;
  readonly eventCreatedAt: Date | null;
};

/** A run that is planned: its webhook, and how the receiver has responded before. */
export interface PlannedRun {
  readonly webhook: Webhook;
  readonly schedule: WebhookSchedule;
  /** Whether objects are set aside. */
  readonly hasAside: boolean;
}

/** Pending deliveries of the object of `delivery` that come before it. */
const EARLIER = `
  SELECT FROM webhook_deliveries AS earlier
  WHERE earlier.webhook_id = delivery.webhook_id AND earlier.object_id = delivery.object_id
    AND earlier.status = 'pending' AND (earlier.position, earlier.id) < (delivery.position, delivery.id)`;

/** Rows of one statement: a transaction of a user's request gives up as many. */
const GIVEN_UP_AT_ONCE = 10_000;

@Injectable()
export class DeliveryRunsQueries {
  constructor(private readonly sql: Sql) {}

  /** What a run needs that is still planned. @returns `undefined`: another run is planned by now, or none */
  async findRun({ webhookId, dueAt, runNumber }: DeliveryJob): Promise<PlannedRun | undefined> {
    const [row] = await this.sql.query<Webhook & WebhookSchedule & Pick<PlannedRun, 'hasAside'>>(
      `SELECT ${this.sql.columns(Webhook, 'webhook')}, ${this.sql.columns(WebhookSchedule, 'schedule')},
              EXISTS (SELECT FROM webhook_objects_aside AS aside WHERE aside.webhook_id = $1) AS "hasAside"
       FROM webhooks AS webhook JOIN webhook_schedules AS schedule ON schedule.webhook_id = webhook.id
       WHERE webhook.id = $1 AND schedule.due_at = $2 AND ($3::integer IS NULL OR schedule.run_number = $3)`,
      [webhookId, dueAt, runNumber],
    );
    return row && { webhook: row, schedule: row, hasAside: row.hasAside };
  }

  /**
   * The next delivery of a run, but those that are known to be set aside.
   *
   * @returns `undefined`: none is pending, the run is no longer planned, or the webhook has been changed in the
   * meantime
   */
  findNext(job: DeliveryJob, version: number): Promise<PendingDelivery | undefined> {
    return this.findOfRun(job, version, 'NOT delivery.set_aside', []);
  }

  /** The next delivery of an object. @returns `undefined`: as `findNext` */
  findNextOf(job: DeliveryJob, version: number, objectId: string): Promise<PendingDelivery | undefined> {
    return this.findOfRun(job, version, 'delivery.object_id = $4', [objectId]);
  }

  /** A delivery, if it is the first of its object. @returns `undefined`: it is not, and as `findNext` */
  findFirst(job: DeliveryJob, version: number, id: string): Promise<PendingDelivery | undefined> {
    return this.findOfRun(job, version, `delivery.id = $4 AND NOT EXISTS (${EARLIER})`, [id]);
  }

  private async findOfRun(
    { webhookId, dueAt }: DeliveryJob,
    version: number,
    condition: string,
    parameters: readonly string[],
  ): Promise<PendingDelivery | undefined> {
    const [row] = await this.sql.query<DeliveryRow>(
      `SELECT ${DELIVERY_COLUMNS} FROM ${FROM_DELIVERY}
       WHERE delivery.webhook_id = $1 AND delivery.status = 'pending' AND ${condition}
         AND EXISTS (SELECT FROM webhook_schedules AS schedule WHERE schedule.webhook_id = $1 AND schedule.due_at = $2)
         AND EXISTS (SELECT FROM webhooks AS webhook WHERE webhook.id = $1 AND webhook.version = $3)
       ORDER BY delivery.position, delivery.id LIMIT 1`,
      [webhookId, dueAt, version, ...parameters],
    );
    return row && toDelivery(row);
  }

  /** A delivery of a webhook, whatever its status. */
  async find(webhookId: string, id: string): Promise<PendingDelivery | undefined> {
    const [row] = await this.sql.query<DeliveryRow>(
      `SELECT ${DELIVERY_COLUMNS} FROM ${FROM_DELIVERY} WHERE delivery.webhook_id = $1 AND delivery.id = $2`,
      [webhookId, id],
    );
    return row && toDelivery(row);
  }

  /**
   * Writes an attempt, unless another one was written since the delivery was read. A delivery that was given up during the
   * attempt, because its webhook was disabled, does not become pending again; one that a user has skipped stays so, unless
   * the receiver has it.
   *
   * @returns whether it was written
   */
  async writeAttempt(delivery: PendingDelivery, attempt: WrittenAttempt): Promise<boolean> {
    const written = await this.sql.execute(
      `UPDATE webhook_deliveries
       SET status = $3, reason = $4, response_body = $5, attempts = $6, last_attempt_at = $7, failures = $8,
           failing_since = $9, attempt_count = attempt_count + 1, updated_at = now()
       WHERE id = $1 AND attempt_count = $2
         AND (status = 'pending' OR (status = 'failed' AND $3 <> 'pending') OR $3 = 'succeeded')`,
      [
        delivery.id,
        delivery.attemptCount,
        attempt.status,
        attempt.reason,
        attempt.responseBody,
        JSON.stringify(attempt.attempts),
        attempt.attemptedAt,
        attempt.failures,
        attempt.failingSince,
      ],
    );
    return written > 0;
  }

  async hasPending(webhookId: string): Promise<boolean> {
    const found = await this.sql.query(
      `SELECT FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending' LIMIT 1`,
      [webhookId],
    );
    return found.length > 0;
  }

  /** Events that were not delivered, up to 10,000. */
  async countUndelivered(webhookId: string): Promise<number> {
    const [row] = await this.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (${undeliveredOf('$1')}) AS undelivered`,
      [webhookId],
    );
    return row?.count ?? 0;
  }

  /** Locks a webhook, as requests of users do: before its deliveries and its schedule. */
  async lockWebhook(webhookId: string): Promise<void> {
    await this.sql.execute('SELECT FROM webhooks WHERE id = $1 FOR NO KEY UPDATE', [webhookId]);
  }

  /** Gives up a delivery without an attempt. */
  async fail(id: string, reason: string): Promise<void> {
    await this.sql.execute(
      `UPDATE webhook_deliveries SET status = 'failed', reason = $2, updated_at = now()
       WHERE id = $1 AND status = 'pending'`,
      [id, reason],
    );
  }

  async deleteAll(webhookId: string): Promise<void> {
    await this.sql.execute('DELETE FROM webhook_deliveries WHERE webhook_id = $1', [webhookId]);
  }

  /** Gives up what is pending of a disabled webhook, in part when it is a lot. @returns whether more may be left */
  async failPending(webhookId: string, reason: string): Promise<boolean> {
    const failed = await this.sql.execute(
      `UPDATE webhook_deliveries SET status = 'failed', reason = $2, updated_at = now()
       WHERE id IN (
         SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending' ORDER BY position, id LIMIT $3
       ) AND EXISTS (SELECT FROM webhooks AS webhook WHERE webhook.id = $1 AND NOT webhook.enabled)`,
      [webhookId, reason, GIVEN_UP_AT_ONCE],
    );
    return failed === GIVEN_UP_AT_ONCE;
  }
}

function toDelivery({ event, eventCreatedAt, ...delivery }: DeliveryRow): PendingDelivery {
  if (event === null || eventCreatedAt === null) return { ...delivery, event: null };
  return { ...delivery, event: { ...event, createdAt: eventCreatedAt } };
}
