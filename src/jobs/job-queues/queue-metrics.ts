import { Injectable } from '@nestjs/common';
import { CachedReading } from '../../metrics/cached-reading.js';
import { Metrics, type Sample, samplesOf } from '../../metrics/metrics.js';
import { QueueStateService } from './queue-state.service.js';
import { WaitingClaims } from './waiting-claims.js';

/** How long counts of the database are used, in milliseconds. */
const MAX_AGE = 30_000;

/** What is counted in the database. */
interface Counts {
  readonly queued: readonly Sample[];
  readonly running: readonly Sample[];
  readonly overdue: number;
}

/** The metrics of runners and of the queue of jobs. */
@Injectable()
export class QueueMetrics {
  /** Observes the time of one matching transaction, in seconds. */
  readonly observeMatching: (seconds: number) => void;
  /** Observes how long a job was queued before a runner got it, in seconds. */
  readonly observeQueued: (seconds: number) => void;

  constructor(
    metrics: Metrics,
    private readonly state: QueueStateService,
    claims: WaitingClaims,
  ) {
    const counts = new CachedReading(() => this.count(), MAX_AGE);
    metrics.gauge(
      { name: 'slipway_runner_claims_waiting', help: 'Requests of runners that wait for a job.' },
      () => claims.size,
    );
    metrics.gauges(
      { name: 'slipway_jobs_queued', help: 'Jobs that no runner has, by reason.', labelNames: ['reason'] },
      async () => (await counts.read())?.queued ?? null,
    );
    metrics.gauges(
      { name: 'slipway_jobs_running', help: 'Jobs that runners have, by status.', labelNames: ['status'] },
      async () => (await counts.read())?.running ?? null,
    );
    metrics.gauge(
      {
        name: 'slipway_jobs_overdue',
        help: 'Jobs that runners have although their leases ended too long ago.',
      },
      async () => (await counts.read())?.overdue ?? null,
      'max',
    );
    this.observeMatching = metrics.histogram(
      {
        name: 'slipway_job_matching_duration_seconds',
        help: 'Time of a transaction that gives jobs to runners.',
      },
      [0.005, 0.025, 0.1, 0.25, 1, 2.5],
    );
    this.observeQueued = metrics.histogram(
      { name: 'slipway_job_queue_duration_seconds', help: 'Time from queuing a job until a runner gets it.' },
      [0.1, 1, 10, 60, 300, 1800, 3600],
    );
  }

  private async count(): Promise<Counts> {
    const { queued, running, overdue } = await this.state.count();
    return { queued: samplesOf('reason', queued), running: samplesOf('status', running), overdue };
  }
}
