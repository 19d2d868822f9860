import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../common/database-clock.js';
import { transaction } from '../../../database/transactions/transaction.js';
import { Metrics, samplesOf } from '../../../metrics/metrics.js';
import type { Webhook, WebhookDisabledReason } from '../../webhooks/webhook.entity.js';
import { WebhookDisabling } from '../../webhooks/webhook-disabling.service.js';
import { DeliverySchedules } from '../schedules/delivery-schedules.service.js';
import { mayHelp } from '../schedules/may-help.js';
import type { WebhookSchedule } from '../webhook-schedule.entity.js';
import { type AttemptOutcome, isBusy } from './attempt-outcome.js';
import { recordOf } from './attempt-record.js';
import type { DeliveryJob } from './delivery-queues.js';
import { DeliveryRunsQueries, type WrittenAttempt } from './delivery-runs.queries.js';
import { ObjectsAside } from './objects-aside.service.js';
import { ReceiverRests } from './receiver-rests.service.js';
import { afterAttempt, isHopeless, isReportDue, isUntroubled, type ReceiverState } from './receiver-state.js';
import { Rejections } from './rejections.service.js';
import { END, type Following, type RunAttempt } from './run.js';
import type { AttemptResult } from './webhook-sender.service.js';

/** Writes what came of attempts, and plans what follows. */
@Injectable()
export class DeliveryOutcomes {
  /** Attempts of this process since its start. */
  private readonly counts = { succeeded: 0, rejected: 0, unavailable: 0, gone: 0 };

  constructor(
    metrics: Metrics,
    private readonly queries: DeliveryRunsQueries,
    private readonly schedules: DeliverySchedules,
    private readonly disabling: WebhookDisabling,
    private readonly rejections: Rejections,
    private readonly aside: ObjectsAside,
    private readonly rests: ReceiverRests,
  ) {
    metrics.counter(
      {
        name: 'slipway_webhook_attempts_total',
        help: 'Attempts to deliver events to webhooks, by what came of them.',
        labelNames: ['outcome'],
      },
      () => samplesOf('outcome', this.counts),
    );
  }

  /** Writes the outcome of an attempt, unless another run was faster. */
  async write(attempt: RunAttempt): Promise<Following> {
    const { delivery, state, result } = attempt;
    this.counts[result.outcome]++;
    const next = stateAfter(attempt, result.outcome);
    // The usual case is one statement; `end` writes the time of the last success.
    if (result.outcome === 'succeeded' && !delivery.isAside && isUntroubled(state)) {
      await this.queries.writeAttempt(delivery, recordOf(delivery, result));
      return { kind: 'next', state: next, outcome: 'succeeded' };
    }
    return transaction(() => this.writeUnusual(attempt, next));
  }

  private async writeUnusual(attempt: RunAttempt, next: ReceiverState): Promise<Following> {
    const { run, delivery, role, state, result } = attempt;
    const { job, webhook } = run;
    const disabledReason = disabledReasonOf(result, next);
    // First, because it locks the webhook. It gives up what is pending.
    const isDisabled = disabledReason !== null && (await this.disable(webhook, disabledReason));
    if (disabledReason === null && mayChangeOthers(attempt, next)) await this.queries.lockWebhook(webhook.id);
    // What a receiver refuses that is not that of the webhook by now: the next one gets the event.
    const isOfFormer =
      disabledReason === 'gone'
        ? !isDisabled
        : result.outcome === 'rejected' && (await this.hasChanged(job, webhook));
    const outcome = isOfFormer ? 'unavailable' : result.outcome;
    const record = recordOf(delivery, { ...result, outcome }, role !== 'probe');
    const isOver = isDisabled && record.status === 'pending';
    const written = isOver ? { ...record, status: 'failed' as const, reason: result.error } : record;
    await this.queries.writeAttempt(delivery, written);
    if (isDisabled) return END;
    const schedule = await this.schedules.lockDue(job);
    if (schedule === null) return END;
    // After the lock: a change from now on plans a run itself.
    if (await this.hasChanged(job, webhook)) {
      await this.schedules.plan(
        webhook,
        schedule,
        (await this.queries.hasPending(webhook.id)) ? { wait: 0 } : null,
      );
      return END;
    }
    if (outcome === 'succeeded' && state.isReported) await this.rests.reportRecovery(webhook, state);
    return this.follow({ ...attempt, result: { ...result, outcome } }, schedule, written, next);
  }

  private async follow(
    attempt: RunAttempt,
    schedule: WebhookSchedule,
    written: WrittenAttempt,
    next: ReceiverState,
  ): Promise<Following> {
    const { run, delivery, role, state, result } = attempt;
    const { webhook } = run;
    const { outcome } = result;
    if (delivery.isAside) await this.aside.planNext(webhook.id, delivery, result, written);
    if (outcome === 'rejected') {
      const failed = await this.rejections.judge(webhook, delivery, state, next);
      if (failed !== null) return this.rest(attempt, schedule, failed.state, written, failed.wakes);
    }
    if (outcome !== 'unavailable') return this.goOn(schedule, next, outcome);
    // A wait that the receiver asks for is about all events.
    if (isBusy(result)) return this.rest(attempt, schedule, next, written, false);
    if (role === 'probe' || delivery.isAside) return this.goOn(schedule, next, outcome);
    if (role === 'again') {
      if (written.status === 'pending' && (await this.aside.setAside(webhook.id, delivery, written))) {
        return this.goOn(schedule, next, outcome);
      }
      return this.rest(attempt, schedule, stateAfter({ ...attempt, role: 'next' }, outcome), written, false);
    }
    if (written.status === 'pending' && (await this.aside.mayBe(webhook, written))) {
      const probing = run.restsUntil === null ? next : state;
      await this.schedules.note(schedule, probing);
      return { kind: 'probes', state: probing, outcome };
    }
    return this.rest(attempt, schedule, next, written, false);
  }

  private async goOn(
    schedule: WebhookSchedule,
    state: ReceiverState,
    outcome: AttemptOutcome,
  ): Promise<Following> {
    await this.schedules.note(schedule, state);
    return { kind: 'next', state, outcome };
  }

  /** Lets the receiver rest. @param wakes whether a new event is tried before */
  private async rest(
    { run, result }: RunAttempt,
    schedule: WebhookSchedule,
    next: ReceiverState,
    written: Pick<WrittenAttempt, 'status' | 'failingSince'>,
    wakes: boolean,
  ): Promise<Following> {
    const retryAfter = isBusy(result) ? result.retryAfter : null;
    const isGivenUp = result.outcome === 'unavailable' && written.status === 'failed' && retryAfter === null;
    const cause = { retryAfter, failingSince: written.failingSince, isGivenUp, wakes };
    await this.rests.rest(run, schedule, next, cause);
    return END;
  }

  /** Whether an attempt may succeed with the webhook as it is now, or its run is no longer planned. */
  private async hasChanged(job: DeliveryJob, tried: Webhook): Promise<boolean> {
    const current = await this.queries.findRun(job);
    return current === undefined || mayHelp(tried, current.webhook);
  }

  /** @returns `false`: it is disabled, or a user has changed it since the attempt began */
  private disable(tried: Webhook, reason: WebhookDisabledReason): Promise<boolean> {
    return this.disabling.disable(tried.id, reason, (current) => !mayHelp(tried, current));
  }
}

function stateAfter({ delivery, role, state, result }: RunAttempt, outcome: AttemptOutcome): ReceiverState {
  const attempt = {
    outcome,
    deliveryId: delivery.id,
    eventType: delivery.eventType,
    isBusy: isBusy(result),
    hasResponse: result.status !== null,
    isAside: role !== 'next' || delivery.isAside,
    durationMs: result.durationMs,
  };
  return afterAttempt(state, attempt, databaseNow());
}

/** Whether an attempt may change other deliveries of the webhook, or record an event of it. */
function mayChangeOthers({ role, state, result }: RunAttempt, next: ReceiverState): boolean {
  if (result.outcome === 'succeeded') return state.isReported;
  if (result.outcome === 'rejected') return true;
  return role === 'again' || isReportDue(next, databaseNow());
}

/** Why an attempt disables the webhook; `null`: it does not. */
function disabledReasonOf({ outcome }: AttemptResult, next: ReceiverState): WebhookDisabledReason | null {
  if (outcome === 'gone') return 'gone';
  return isHopeless(next, databaseNow()) ? 'failing' : null;
}
