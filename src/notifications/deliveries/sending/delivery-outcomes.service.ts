import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../common/database-clock.js';
import { transaction } from '../../../database/transactions/transaction.js';
import { Metrics, samplesOf } from '../../../metrics/metrics.js';
import type { Webhook, WebhookDisabledReason } from '../../webhooks/webhook.entity.js';
import { WebhookDisabling } from '../../webhooks/webhook-disabling.service.js';
import { DeliverySchedules } from '../schedules/delivery-schedules.service.js';
import { mayHelp } from '../schedules/may-help.js';
import type { DeliveryJob } from './delivery-queues.js';
import { DeliveryRunsQueries, type PendingDelivery, type WrittenAttempt } from './delivery-runs.queries.js';
import { afterAttempt, isHopeless, type ReceiverState, retryDelay, MAX_ATTEMPTS } from './retry-schedule.js';
import type { AttemptResult } from './webhook-sender.service.js';

/** Attempts that a delivery keeps. */
const MAX_KEPT = 20;

export interface RunAttempt {
  readonly job: DeliveryJob;
  readonly webhook: Webhook;
  readonly delivery: PendingDelivery;
  /** How the receiver has responded before. */
  readonly state: ReceiverState;
  readonly result: AttemptResult;
}

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

  /**
   * Writes the outcome of an attempt, unless another run was faster.
   *
   * @returns the state for the next delivery; `null`: the run has ended, and what follows is planned
   */
  async write(attempt: RunAttempt): Promise<ReceiverState | null> {
    const { delivery, state, result } = attempt;
    this.counts[result.outcome]++;
    const next = afterAttempt(state, result.outcome, databaseNow(), result.durationMs);
    const wasFine = state.failures === 0 && state.unsuccessfulSince === null;
    // The usual case is one statement; `end` writes the time of the last success.
    if (result.outcome === 'succeeded' && wasFine) {
      await this.queries.writeAttempt(delivery, recordOf(delivery, result));
      return next;
    }
    return transaction(() => this.writeUnusual(attempt, next));
  }

  private async writeUnusual(
    { job, webhook, delivery, result }: RunAttempt,
    next: ReceiverState,
  ): Promise<ReceiverState | null> {
    const disabledReason = disabledReasonOf(result, next);
    // First, because it locks the webhook. It gives up what is pending.
    const isDisabled = disabledReason !== null && (await this.disable(webhook, disabledReason));
    // What a receiver refuses that is not that of the webhook by now: the next one gets the event.
    const isOfFormer =
      disabledReason === 'gone'
        ? !isDisabled
        : result.outcome === 'rejected' && (await this.hasChanged(job, webhook));
    const outcome = isOfFormer ? 'unavailable' : result.outcome;
    const record = recordOf(delivery, { ...result, outcome });
    const isOver = isDisabled && record.status === 'pending';
    const written = isOver ? { ...record, status: 'failed' as const, reason: result.error } : record;
    await this.queries.writeAttempt(delivery, written);
    if (isDisabled) return null;
    const schedule = await this.schedules.lockDue(job);
    if (schedule === null) return null;
    // After the lock: a change from now on plans a run itself.
    if (await this.hasChanged(job, webhook)) {
      const hasPending = await this.queries.hasPending(webhook.id);
      await this.schedules.plan(webhook, schedule, hasPending ? 0 : null);
      return null;
    }
    if (outcome !== 'unavailable') {
      await this.schedules.note(schedule, next);
      return next;
    }
    // A user may have changed the webhook during the attempt: then the failures were forgotten.
    const failures = Math.min(next.failures, schedule.failures + 1);
    const hasPending = await this.queries.hasPending(webhook.id);
    const seconds = retryDelay(failures, result.retryAfter, Math.random());
    const wait = hasPending ? Math.round(seconds * 1000) : null;
    await this.schedules.plan(webhook, { ...schedule, ...next, failures }, wait);
    return null;
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

  /** Ends a run whose receiver works. @param wait milliseconds after which the next one begins at the earliest */
  async end(job: DeliveryJob, webhook: Webhook, state: ReceiverState, wait: number): Promise<void> {
    await transaction(async () => {
      const schedule = await this.schedules.lockDue(job);
      if (schedule === null) return;
      // After the lock: what was committed before is seen, and what comes later finds the run ended.
      const hasPending = await this.queries.hasPending(webhook.id);
      await this.schedules.plan(webhook, { ...schedule, ...state }, hasPending ? wait : null);
    });
  }
}

/** Why an attempt disables the webhook; `null`: it does not. */
function disabledReasonOf({ outcome }: AttemptResult, next: ReceiverState): WebhookDisabledReason | null {
  if (outcome === 'gone') return 'gone';
  return isHopeless(next, databaseNow()) ? 'failing' : null;
}

/** What an attempt makes of its delivery. */
export function recordOf(
  { attemptCount, attempts }: Pick<PendingDelivery, 'attemptCount' | 'attempts'>,
  { outcome, at, durationMs, status, error, responseBody }: AttemptResult,
): WrittenAttempt {
  const attempt = { at: at.toISOString(), status, durationMs, error };
  const written = { responseBody, attempts: [...attempts, attempt].slice(-MAX_KEPT), attemptedAt: at };
  if (outcome === 'succeeded') return { ...written, status: 'succeeded', reason: null };
  if (outcome !== 'unavailable') return { ...written, status: 'failed', reason: error };
  if (attemptCount + 1 < MAX_ATTEMPTS) return { ...written, status: 'pending', reason: null };
  return { ...written, status: 'failed', reason: `Given up after ${MAX_ATTEMPTS} attempts. ${error}` };
}
