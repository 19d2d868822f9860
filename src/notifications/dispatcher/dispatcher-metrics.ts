import { Injectable } from '@nestjs/common';
import { EventLogQueries } from '../../events/event-log.queries.js';
import { CachedReading } from '../../metrics/cached-reading.js';
import { Metrics } from '../../metrics/metrics.js';
import { Dispatcher } from './dispatcher.js';

/** How long a backlog is used, in milliseconds. */
const MAX_AGE = 5000;

@Injectable()
export class DispatcherMetrics {
  constructor(metrics: Metrics, dispatcher: Dispatcher, queries: EventLogQueries) {
    const backlog = new CachedReading(() => queries.backlog(), MAX_AGE);
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
      async () => (await backlog.read())?.events ?? null,
      'max',
    );
    metrics.gauge(
      { name: 'slipway_events_lag_seconds', help: 'Age of the oldest event that has no position yet.' },
      async () => (await backlog.read())?.lagSeconds ?? null,
      'max',
    );
  }
}
