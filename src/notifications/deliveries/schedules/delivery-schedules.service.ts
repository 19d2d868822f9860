import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { transaction } from '../../../database/transactions/transaction.js';
import { QueueService } from '../../../queue/queue.service.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';
import { DeliverySchedulesQueries, type WokenSchedule } from './delivery-schedules.queries.js';
import { DELIVERIES_QUEUE, type DeliveryJob, RETRIES_QUEUE } from '../sending/delivery-queues.js';
import type { ReceiverState } from '../sending/receiver-state.js';
import { WebhookSchedule } from '../webhook-schedule.entity.js';

/** Milliseconds from which a planned run is lost: the queue has more to do than that at most. */
const LATE = 3600 * 1000;

/** The next run, in milliseconds from now. */
export interface Plan {
  readonly wait: number;
  /** How long the receiver rests; a run before that sends nothing that rests. @default it does not rest */
  readonly rest?: number;
  /** Whether new deliveries plan a run at once. @default false */
  readonly wakes?: boolean;
}

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
        jobs.map(({ webhookId, organizationId, runNumber }) => ({
          tenantId: organizationId,
          data: { ...jobOf(webhookId, dueAt, runNumber), isWoken: true },
        })),
      );
    }
  }

  /**
   * A user wants something to be sent: makes a run that was planned for later start now. Its failures are forgotten but
   * for one, so that attempts that users ask for do not lead to longer waits.
   *
   * @param changes what else is written
   * @param urgentId a pending delivery that is sent before others
   */
  async hurry(
    webhook: ScheduledWebhook,
    changes: Partial<ReceiverState> = {},
    urgentId?: string,
  ): Promise<void> {
    await this.queries.lock(webhook.id);
    const schedule = await this.schedules.findOneByOrFail({ webhookId: webhook.id });
    const failures = Math.min(schedule.failures, 1);
    const urgentIds = [...new Set([...schedule.urgentIds, ...(urgentId === undefined ? [] : [urgentId])])];
    const state = { ...schedule, failures, urgentIds, ...changes };
    const now = await this.queries.clock();
    // A run that is due is waiting or in progress, and plans another one if something is pending at its end.
    if (schedule.dueAt === null || schedule.dueAt > now) return this.plan(webhook, state, { wait: 0 });
    await this.write(schedule, { ...state, restsUntil: null, earlyAt: null });
  }

  /** A run sends these now. */
  async takeUrgent(webhookId: string, ids: readonly string[]): Promise<void> {
    await this.queries.takeUrgent(webhookId, ids);
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
   * @param plan `null`: nothing is pending
   */
  async plan(webhook: ScheduledWebhook, schedule: WebhookSchedule, plan: Plan | null): Promise<void> {
    if (plan === null) return this.write(schedule, { ...schedule, ...unplanned });
    // What a user wants now does not rest.
    const isUrgent = schedule.urgentIds.length > 0;
    const { wait, rest = 0, wakes = false } = isUrgent ? { wait: 0 } : plan;
    const now = await this.queries.clock();
    const dueAt = apartFrom(schedule.dueAt, new Date(now.getTime() + wait));
    const restsUntil = rest > 0 ? new Date(now.getTime() + rest) : null;
    const earlyAt = rest > wait ? dueAt : null;
    const waitMs = Math.max(wait, rest);
    const runNumber = schedule.runNumber + 1;
    await this.write(schedule, { ...schedule, dueAt, restsUntil, earlyAt, wakes, waitMs, runNumber });
    const options = wait > 0 ? { startAfter: dueAt } : {};
    await this.queue.send(
      queueOf(schedule),
      webhook.organizationId,
      jobOf(webhook.id, dueAt, runNumber),
      options,
    );
  }

  /** No deliveries are pending: the webhook was disabled. */
  async end(webhookId: string): Promise<void> {
    await this.schedules.update({ webhookId }, { ...unplanned, urgentIds: [] });
  }

  /** When the webhook sends again; `null`: it is not planned. */
  async nextOf(webhookId: string): Promise<Date | null> {
    const schedule = await this.schedules.findOneBy({ webhookId });
    if (schedule === null) return null;
    const { dueAt, earlyAt, restsUntil } = schedule;
    return dueAt !== null && dueAt.getTime() === earlyAt?.getTime() ? restsUntil : dueAt;
  }

  /** Plans the runs that were lost, such as those that the queue has given up after an outage of days. */
  async planLost(): Promise<void> {
    const lateBefore = await this.queries.clock(-LATE);
    for (const { id, organizationId } of await this.queries.findLost(lateBefore)) {
      await transaction(async () => {
        await this.queries.lock(id);
        const [isLost] = await this.queries.findLost(lateBefore, id);
        if (isLost === undefined) return;
        const schedule = await this.schedules.findOneByOrFail({ webhookId: id });
        await this.plan({ id, organizationId }, schedule, { wait: 0 });
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

const unplanned = { dueAt: null, restsUntil: null, earlyAt: null, wakes: false, waitMs: 0 } as const;

function queueOf({
  failures,
  busyResponses,
  isSlow,
}: Pick<WokenSchedule, 'failures' | 'busyResponses' | 'isSlow'>): typeof DELIVERIES_QUEUE {
  return failures > 0 || busyResponses > 0 || isSlow ? RETRIES_QUEUE : DELIVERIES_QUEUE;
}

/** Another time than that of the run before, which its time identifies: clocks of servers differ by milliseconds. */
function apartFrom(before: Date | null, at: Date): Date {
  return at.getTime() === before?.getTime() ? new Date(at.getTime() + 1) : at;
}

function jobOf(webhookId: string, dueAt: Date, runNumber: number): DeliveryJob {
  return { webhookId, dueAt: dueAt.toISOString(), runNumber };
}
