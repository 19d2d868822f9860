import { Injectable, type OnModuleInit } from '@nestjs/common';
import { databaseNow } from '../../../common/database-clock.js';
import { transaction } from '../../../database/transactions/transaction.js';
import { QueueService } from '../../../queue/queue.service.js';
import { DeliverySchedules, type Plan } from '../schedules/delivery-schedules.service.js';
import { isTrusted } from '../schedules/trusted-times.js';
import type { WebhookSchedule } from '../webhook-schedule.entity.js';
import { DeliveryAttempts, type OpenRun } from './delivery-attempts.service.js';
import { DELIVERIES_QUEUE, type DeliveryJob, RETRIES_QUEUE } from './delivery-queues.js';
import { DeliveryRunsQueries, type PendingDelivery, type PlannedRun } from './delivery-runs.queries.js';
import { DeliveryTurns, type Turns } from './delivery-turns.service.js';
import { ObjectsAsideQueries, type PendingWork } from './objects-aside.queries.js';
import { ReceiverProbes } from './receiver-probes.service.js';
import { ReceiverRests } from './receiver-rests.service.js';
import { type ReceiverState, REJECTIONS, stateOf } from './receiver-state.js';
import { FAILURES_OF_EVENT, paceOf } from './retry-schedule.js';
import type { Following } from './run.js';

/** Milliseconds after which a run begins no further attempt: others wait for its worker. */
const LONGEST_RUN = 15_000;

const DISABLED = 'The webhook was disabled before the event was sent.';

/**
 * Sends the pending deliveries of one webhook after the other, in the order of their positions, until there are none, the
 * receiver does not work, or it is the turn of other webhooks.
 */
@Injectable()
export class DeliveryRuns implements OnModuleInit {
  constructor(
    private readonly queries: DeliveryRunsQueries,
    private readonly schedules: DeliverySchedules,
    private readonly aside: ObjectsAsideQueries,
    private readonly turns: DeliveryTurns,
    private readonly attempts: DeliveryAttempts,
    private readonly probes: ReceiverProbes,
    private readonly rests: ReceiverRests,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    for (const queue of [DELIVERIES_QUEUE, RETRIES_QUEUE]) {
      this.queue.handle<DeliveryJob>(queue, (job) => this.run(job));
    }
  }

  async run(job: DeliveryJob): Promise<void> {
    const planned = await this.queries.findRun(job);
    if (planned === undefined) return;
    const { webhook, schedule } = planned;
    if (!webhook.enabled) return this.giveUp(job, planned);
    const restsUntil = restOf(schedule, databaseNow());
    const run = this.attempts.open({ job, webhook, restsUntil });
    if (restsUntil === null) return this.sendAll(run, planned);
    return this.runEarly(run, planned);
  }

  /** An event came at the moment when the webhook was disabled, or very many were pending. */
  private async giveUp(job: DeliveryJob, { webhook }: PlannedRun): Promise<void> {
    await transaction(async () => {
      await this.queries.failPending(webhook.id, DISABLED);
      const schedule = await this.schedules.lockDue(job);
      if (schedule === null) return;
      const hasPending = await this.queries.hasPending(webhook.id);
      await this.schedules.plan(webhook, schedule, hasPending ? { wait: 0 } : null);
    });
  }

  /** The receiver rests, and a new event may show that it works, or it is time to report it. */
  private async runEarly(run: OpenRun, planned: PlannedRun): Promise<void> {
    const { job, webhook } = run;
    const state = stateOf(planned.schedule);
    if (job.isWoken === true) {
      if (state.rejectedIds.length >= REJECTIONS) return this.sendAll(run, planned);
      const suspect = await this.attempts.inTurn(webhook, () => this.queries.findNext(job, webhook.version));
      if (suspect !== undefined && suspect.failures >= FAILURES_OF_EVENT) {
        const following = await this.probes.probe(run, suspect, state);
        if (following.kind === 'end') return;
        return this.send({ ...run, restsUntil: null }, noTurns(), following.state, 1);
      }
    }
    await this.attempts.inTurn(webhook, () => this.rests.continue(run, state, null));
  }

  private async sendAll(run: OpenRun, { schedule, hasAside }: PlannedRun): Promise<void> {
    const { webhookId, urgentIds } = schedule;
    if (urgentIds.length > 0) await this.schedules.takeUrgent(webhookId, urgentIds);
    const dueIds = hasAside ? await this.aside.findDue(webhookId) : [];
    await this.send(run, { ...noTurns(), urgentIds, dueIds }, stateOf(schedule), 0);
  }

  /** @param before attempts of the run before */
  private async send(run: OpenRun, turns: Turns, begun: ReceiverState, before: number): Promise<void> {
    const { webhook } = run;
    const { atOnce, perSecond } = paceOf(webhook.format);
    let [current, state, sent] = [run, begun, before];
    while (sent < atOnce && this.isTime(run)) {
      const delivery = await this.turns.next(current, turns, state);
      if (delivery === undefined) break;
      const following = await this.attempt(current, delivery, state);
      if (following.kind === 'end') return;
      const { outcome } = following;
      state = following.state;
      if (outcome !== null) sent++;
      // The rest is over.
      if (outcome === 'succeeded') current = { ...current, restsUntil: null };
      if (delivery.isAside && outcome !== 'unavailable') turns.dueIds = [...turns.dueIds, delivery.objectId];
    }
    const wait = Math.max((sent * 1000) / perSecond - (performance.now() - run.start), 0);
    await this.attempts.inTurn(webhook, () => this.end(current, state, Math.round(wait)));
  }

  private async attempt(run: OpenRun, delivery: PendingDelivery, state: ReceiverState): Promise<Following> {
    const following = await this.attempts.attempt(run, delivery, 'next', state);
    return following.kind === 'probes' ? this.probes.probe(run, delivery, following.state) : following;
  }

  /** Ends a run whose receiver works. @param wait milliseconds after which the next one begins at the earliest */
  private async end({ job, webhook }: OpenRun, state: ReceiverState, wait: number): Promise<void> {
    await transaction(async () => {
      const schedule = await this.schedules.lockDue(job);
      if (schedule === null) return;
      // After the lock: what was committed before is seen, and what comes later finds the run ended.
      const { hasNext, asideIn } = await this.aside.findWork(webhook.id);
      await this.schedules.plan(
        webhook,
        { ...schedule, ...state },
        await this.planOf(webhook.id, wait, { hasNext, asideIn }),
      );
    });
  }

  private async planOf(
    webhookId: string,
    wait: number,
    { hasNext, asideIn }: PendingWork,
  ): Promise<Plan | null> {
    if (hasNext) return { wait };
    if (asideIn !== null) return { wait: Math.max(wait, asideIn), wakes: true };
    // Of an object that was released while a delivery of it was set aside.
    return (await this.aside.releaseAll(webhookId)) ? { wait } : null;
  }

  private isTime({ start }: OpenRun): boolean {
    return !this.queue.isStopping && performance.now() - start < LONGEST_RUN;
  }
}

/** Until when a receiver rests before whose end a run was planned; `null`: it does not. */
function restOf({ dueAt, earlyAt, restsUntil, waitMs }: WebhookSchedule, now: Date): Date | null {
  if (earlyAt === null || restsUntil === null || earlyAt.getTime() !== dueAt?.getTime()) return null;
  return restsUntil > now && isTrusted(restsUntil, waitMs, now) ? restsUntil : null;
}

function noTurns(): Turns {
  return { urgentIds: [], dueIds: [], isTurnOfAside: false };
}
