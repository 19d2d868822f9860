import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { transaction } from '../../../database/transactions/transaction.js';
import { QueueService } from '../../../queue/queue.service.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';
import { DeliverySchedulesQueries, type WokenSchedule } from './delivery-schedules.queries.js';
import { DELIVERIES_QUEUE, type DeliveryJob, RETRIES_QUEUE } from '../sending/delivery-queues.js';
import { type ReceiverState } from '../sending/retry-schedule.js';
import { WebhookSchedule } from '../webhook-schedule.entity.js';

/** Milliseconds from which a planned run is lost: the queue has more to do than that at most. */
const LATE = 3600 * 1000;

/** Whose run it is. */
export type ScheduledWebhook = Pick<Webhook, 'id' | 'organizationId'>;

/**
 * Plans the runs of webhooks: one at a time for each, however many deliveries are pending. Locks are taken in this order:
 * webhook, deliveries, schedule.
 */
@Injectable()
export class DeliverySchedules {
  constructor(
    @InjectRepository(WebhookSchedule) private readonly schedules: Repository<WebhookSchedule>,
    private readonly queries: DeliverySchedulesQueries,
    private readonly queue: QueueService,
  ) {}

  /** Webhooks have new deliveries: plans a run for those that have none. Call it in the transaction of the deliveries. */
  async wake(webhookIds: readonly string[]): Promise<void> {
    const dueAt = await this.queries.clock();
    const woken = await this.queries.wake(webhookIds, dueAt);
    for (const queue of [DELIVERIES_QUEUE, RETRIES_QUEUE]) {
      const jobs = woken.filter((schedule) => queueOf(schedule) === queue);
      await this.queue.sendAll(
        queue,
        jobs.map(({ webhookId, organizationId }) => ({
          tenantId: organizationId,
          data: jobOf(webhookId, dueAt),
        })),
      );
    }
  }

  /**
   * A user wants something to be sent: makes a run that was planned for later start now. Its failures are forgotten but
   * for one, so that attempts that users ask for do not lead to longer waits.
   *
   * @param changes what else is written
   */
  async hurry(webhook: ScheduledWebhook, changes: Partial<ReceiverState> = {}): Promise<void> {
    await this.queries.lock(webhook.id);
    const schedule = await this.schedules.findOneByOrFail({ webhookId: webhook.id });
    const failures = Math.min(schedule.failures, 1);
    const state = { ...schedule, failures, ...changes };
    const now = await this.queries.clock();
    // A run that is due is waiting or in progress, and plans another one if something is pending at its end.
    if (schedule.dueAt !== null && schedule.dueAt <= now) await this.write(schedule, state);
    else await this.plan(webhook, state, 0);
  }

  /**
   * Locks the schedule of a run.
   *
   * @returns `null`: another run is planned by now, or none, or the webhook is gone
   */
  lockDue({ webhookId, dueAt }: DeliveryJob): Promise<WebhookSchedule | null> {
    const where = { webhookId, dueAt: new Date(dueAt) };
    return this.schedules.findOne({ where, lock: { mode: 'for_no_key_update' } });
  }

  /**
   * Plans the next run of a schedule that is locked, and writes its state. The time comes from the database itself: a
   * server whose clock has just jumped would plan a run for hours later.
   *
   * @param wait milliseconds from now; `null`: nothing is pending
   */
  async plan(webhook: ScheduledWebhook, schedule: WebhookSchedule, wait: number | null): Promise<void> {
    const dueAt = wait === null ? null : apartFrom(schedule.dueAt, await this.queries.clock(wait));
    await this.write(schedule, { ...schedule, dueAt });
    if (wait === null || dueAt === null) return;
    const options = wait > 0 ? { startAfter: dueAt } : {};
    await this.queue.send(queueOf(schedule), webhook.organizationId, jobOf(webhook.id, dueAt), options);
  }

  /** No deliveries are pending: the webhook was disabled. */
  async end(webhookId: string): Promise<void> {
    await this.schedules.update({ webhookId }, { dueAt: null });
  }

  /** When the next run of a webhook is planned; `null`: none is. */
  async nextOf(webhookId: string): Promise<Date | null> {
    return (await this.schedules.findOneBy({ webhookId }))?.dueAt ?? null;
  }

  /** Plans the runs that were lost, such as those that the queue has given up after an outage of days. */
  async planLost(): Promise<void> {
    const lateBefore = await this.queries.clock(-LATE);
    for (const { id, organizationId } of await this.queries.findLost(lateBefore)) {
      await transaction(async () => {
        await this.queries.lock(id);
        const schedule = await this.schedules.findOneByOrFail({ webhookId: id });
        const isLate = schedule.dueAt === null || schedule.dueAt < lateBefore;
        if (isLate) await this.plan({ id, organizationId }, schedule, 0);
      });
    }
  }

  /** Writes how the receiver of a schedule that is locked has responded. */
  note(schedule: WebhookSchedule, state: ReceiverState): Promise<void> {
    return this.write(schedule, state);
  }

  private async write({ webhookId }: WebhookSchedule, changes: Partial<WebhookSchedule>): Promise<void> {
    await this.schedules.update({ webhookId }, changes);
  }
}

function queueOf({ failures, isSlow }: Pick<WokenSchedule, 'failures' | 'isSlow'>): typeof DELIVERIES_QUEUE {
  return failures > 0 || isSlow ? RETRIES_QUEUE : DELIVERIES_QUEUE;
}

/** Another time than that of the run before, which its time identifies: clocks of servers differ by milliseconds. */
function apartFrom(before: Date | null, at: Date): Date {
  return at.getTime() === before?.getTime() ? new Date(at.getTime() + 1) : at;
}

function jobOf(webhookId: string, dueAt: Date): DeliveryJob {
  return { webhookId, dueAt: dueAt.toISOString() };
}
