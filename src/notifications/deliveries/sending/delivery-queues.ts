import type { QueueDefinition } from '../../../queue/queue.service.js';

/** A planned run of the deliveries of one webhook. */
export interface DeliveryJob {
  readonly webhookId: string;
  /** `dueAt` of the schedule when the run was planned: with another one, the job does nothing. In ISO 8601. */
  readonly dueAt: string;
  /** `runNumber` of the schedule then. Absent: a server of a former version has planned it. */
  readonly runNumber?: number;
  /** Whether new deliveries have planned it, before the run that was planned. */
  readonly isWoken?: boolean;
}

/**
 * A run that throws is about this server, such as its database, so it is tried again for two days. A run ends after 15
 * seconds and one more attempt of 10.
 */
const RUNS = {
  retryLimit: 60,
  retryDelay: 5,
  retryDelayMax: 3600,
  expireInSeconds: 60,
  // After months without a server, deliveries continue where they stopped.
  retentionSeconds: 365 * 24 * 3600,
  // A busy webhook has a job every two seconds, and the deliveries say what came of it.
  deleteAfterSeconds: 3600,
} as const;

/**
 * Webhooks whose receivers work. They wait for the network most of the time. One organization may have a hundred
 * webhooks, each of which may hang for ten seconds once before it counts as failing: its others continue during that
 * time.
 */
export const DELIVERIES_QUEUE: QueueDefinition = {
  ...RUNS,
  name: 'webhook-deliveries',
};

/** Webhooks whose last attempt failed, or took long: a quarter of all workers. */
export const RETRIES_QUEUE: QueueDefinition = {
  ...RUNS,
  name: 'webhook-retries',
};
