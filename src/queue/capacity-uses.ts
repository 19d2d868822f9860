import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../common/background/background-task.js';
import { Limits } from '../common/background/limits.js';
import type { ShareUse } from '../common/background/share-limit.js';
import { CachedReading } from '../metrics/cached-reading.js';
import { Metrics, type Sample } from '../metrics/metrics.js';
import { type CapacityUse, CapacityUsesQueries, type QueueUse } from './capacity-uses.queries.js';

/** How often a process writes who uses its limits, in milliseconds. */
const WRITTEN_EVERY = 10_000;
/** How long counts of the database are used, in milliseconds. */
const MAX_AGE = 30_000;

/** Shows who uses what all tenants share: in metrics, and by account for `slipway accounts`. */
@Injectable()
export class CapacityUses extends BackgroundTask {
  private readonly logger = new Logger(CapacityUses.name);
  private readonly process = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private hasWritten = false;

  constructor(
    private readonly queries: CapacityUsesQueries,
    private readonly limits: Limits,
    metrics: Metrics,
  ) {
    super();
    const labelNames = ['limit'];
    const gauge = (name: string, help: string, read: (use: ShareUse) => number, join: typeof sum): void =>
      metrics.gauges({ name, help, labelNames }, () => Promise.resolve(this.samples(read, join)));
    gauge('slipway_limit_running', 'Works that have a turn, by limit.', (use) => use.running, sum);
    gauge('slipway_limit_waiting', 'Works that wait for a turn, by limit.', (use) => use.waiting, sum);
    gauge(
      'slipway_limit_wait_seconds',
      'The longest wait for a turn, by limit.',
      (use) => use.waitSeconds,
      max,
    );
    metrics.counter(
      { name: 'slipway_limit_refusals_total', help: 'Works that got no turn, by limit.', labelNames },
      () => [...limits.refusals].map(([limit, value]) => ({ labels: { limit }, value })),
    );
    const queues = new CachedReading(() => queries.queues(), MAX_AGE);
    const ofQueues = (name: string, help: string, read: (use: QueueUse) => number): void =>
      metrics.gauges({ name, help, labelNames: ['queue'] }, async () => {
        const uses = await queues.read();
        return uses?.map((use) => ({ labels: { queue: use.queue }, value: read(use) })) ?? null;
      });
    ofQueues(
      'slipway_queue_waiting',
      'Jobs that are due and have not begun, by queue.',
      (use) => use.waiting,
    );
    ofQueues(
      'slipway_queue_wait_seconds',
      'The longest time that a job is due and has not begun, by queue.',
      (use) => use.waitSeconds,
    );
  }

  override start(): Promise<void> {
    this.timer = setInterval(() => void this.write(), WRITTEN_EVERY).unref();
    return Promise.resolve();
  }

  override async stop(): Promise<void> {
    clearInterval(this.timer);
    if (this.hasWritten) await this.queries.replace(this.process, []).catch(() => undefined);
  }

  private async write(): Promise<void> {
    const uses = this.uses();
    if (uses.length === 0 && !this.hasWritten) return;
    try {
      await this.queries.replace(this.process, uses);
      this.hasWritten = uses.length > 0;
    } catch (err) {
      this.logger.debug({ err }, 'Who uses shared capacity was not written');
    }
  }

  private uses(): CapacityUse[] {
    return this.limits.uses().flatMap(({ name, uses }) => uses.map((use) => ({ limit: name, ...use })));
  }

  private samples(read: (use: ShareUse) => number, join: typeof sum): Sample[] {
    return this.limits.uses().map(({ name, uses }) => ({
      labels: { limit: name },
      value: join(uses.map(read)),
    }));
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const max = (values: readonly number[]): number => Math.max(0, ...values);
