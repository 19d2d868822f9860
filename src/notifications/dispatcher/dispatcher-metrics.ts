import { Injectable } from '@nestjs/common';
import { orAfter } from '../../common/background/or-after.js';
import { type Backlog, EventLogQueries } from '../../events/event-log.queries.js';
import { Metrics } from '../../metrics/metrics.js';
import { Dispatcher } from './dispatcher.js';

/** How long a backlog is used, in milliseconds. */
const MAX_AGE = 5000;
/** How long the database may take, in milliseconds. */
const TIMEOUT = 2000;

/** The metrics of the dispatcher. */
@Injectable()
export class DispatcherMetrics {
  private reading: Promise<Backlog | null> | null = null;

  constructor(
    metrics: Metrics,
    dispatcher: Dispatcher,
    private readonly queries: EventLogQueries,
  ) {
    metrics.counter(
      { name: 'slipway_events_dispatched_total', help: 'Events that got their positions.' },
      () => [{ labels: {}, value: dispatcher.dispatched }],
    );
    metrics.counter(
      {
        name: 'slipway_events_skipped_total',
        help: 'Events without deliveries and mails, because writing these failed.',
      },
      () => [{ labels: {}, value: dispatcher.skipped }],
    );
    metrics.gauge(
      { name: 'slipway_events_waiting', help: 'Events that have no position yet.' },
      async () => (await this.read())?.events ?? null,
      'max',
    );
    metrics.gauge(
      { name: 'slipway_events_lag_seconds', help: 'Age of the oldest event that has no position yet.' },
      async () => (await this.read())?.lagSeconds ?? null,
      'max',
    );
  }

  /** Once for both metrics. @returns `null` when the database does not respond in time. Never rejects. */
  private async read(): Promise<Backlog | null> {
    if (this.reading === null) {
      this.reading = this.queries.backlog().catch(() => null);
      setTimeout(() => (this.reading = null), MAX_AGE).unref();
    }
    return orAfter(this.reading, TIMEOUT, null);
  }
}
