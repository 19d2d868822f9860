import cluster from 'node:cluster';
import { Injectable, Logger } from '@nestjs/common';
import { AggregatorRegistry, collectDefaultMetrics, type RegistryContentType } from 'prom-client';
import { BackgroundTask } from '../common/background/background-task.js';
import { Config } from '../config/config.js';
import { Metrics } from './metrics.js';
import { serveMetrics } from './metrics-server.js';

/** Serves the metrics of this process on `METRICS_PORT`; a process of several (`WORKERS`) sends them to its supervisor. */
@Injectable()
export class MetricsEndpoint extends BackgroundTask {
  private readonly logger = new Logger(MetricsEndpoint.name);
  private close: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {
    super();
  }

  /** Does nothing unless `METRICS_PORT` is set. @throws Error when the port is in use */
  override async start(): Promise<void> {
    const { http } = this.config;
    if (http.metricsPort === 0) return;
    const { registry } = this.metrics;
    collectDefaultMetrics({ register: registry });
    if (cluster.isWorker) {
      AggregatorRegistry.setRegistries(registry);
      // Creating it makes the worker respond to the supervisor.
      void new AggregatorRegistry<RegistryContentType>();
      return;
    }
    const failed = (err: unknown): void => this.logger.error({ err }, 'The metrics cannot be read');
    this.close = await serveMetrics(http, () => registry.metrics(), failed);
    this.logger.log(`Metrics are served on port ${http.metricsPort}`);
  }

  override async stop(): Promise<void> {
    await this.close();
  }
}
