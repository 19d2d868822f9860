import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Counter, Histogram } from 'prom-client';
import { Metrics } from './metrics.js';

/** Upper limits of durations, in seconds: from a read of one row to a large upload. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60];

/** The label of URLs without a route. */
const NO_ROUTE = 'none';

/** Measures the requests that Express handles, which excludes the update checks of the fast path. */
@Injectable()
export class RequestMetrics {
  private readonly requests: Counter<'method' | 'route' | 'status'>;
  private readonly durations: Histogram<'method' | 'route'>;

  constructor({ registry }: Metrics) {
    this.requests = new Counter({
      name: 'slipway_http_requests_total',
      help: 'Requests of routes; status "aborted": the client left before the end of the response.',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
    });
    this.durations = new Histogram({
      name: 'slipway_http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its response.',
      labelNames: ['method', 'route'],
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  /** A middleware, in front of all others. */
  readonly measure = (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    let isComplete = false;
    // Not `writableFinished`, which is true, too, when what was left to write is discarded with the connection.
    response.once('finish', () => (isComplete = true));
    response.once('close', () => {
      const { method } = request;
      const route = routeOf(request);
      const status = isComplete ? String(response.statusCode) : 'aborted';
      this.requests.inc({ method, route, status });
      this.durations.observe({ method, route }, (performance.now() - start) / 1000);
    });
    next();
  };
}

/** The pattern of the route, never the URL, which has ids in it. */
function routeOf(request: Request): string {
  const { path } = (request.route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : NO_ROUTE;
}
