import cluster from 'node:cluster';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { AggregatorRegistry, collectDefaultMetrics, type RegistryContentType } from 'prom-client';
import { Config } from '../config/config.js';
import { Metrics } from './metrics.js';
import { serveMetrics } from './metrics-server.js';

/** Lets the metrics of this process be asked for; where it is one of several (`WORKERS`), by their supervisor. */
@Injectable()
export class MetricsEndpoint implements OnApplicationShutdown {
  private readonly logger = new Logger(MetricsEndpoint.name);
  private close: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {}

  /** Does nothing unless `METRICS_PORT` is set. @throws Error when the port cannot be taken */
  async start(): Promise<void> {
    const { http } = this.config;
    if (http.metricsPort === 0) return;
    const { registry } = this.metrics;
    collectDefaultMetrics({ register: registry });
    if (cluster.isWorker) {
      AggregatorRegistry.setRegistries(registry);
      // Making one is what lets a worker answer.
      void new AggregatorRegistry<RegistryContentType>();
      return;
    }
    const failed = (err: unknown): void => this.logger.error({ err }, 'The metrics cannot be read');
    this.close = await serveMetrics(http, () => registry.metrics(), failed);
    this.logger.log(`Metrics are served on port ${http.metricsPort}`);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
