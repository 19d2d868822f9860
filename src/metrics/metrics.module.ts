import { Global, Module } from '@nestjs/common';
import { BlobsModule } from '../storage/blobs/blobs.module.js';
import { DamagedFiles } from './damaged-files.js';
import { Metrics } from './metrics.js';
import { MetricsEndpoint } from './metrics-endpoint.js';
import { RequestMetrics } from './request-metrics.js';
import { SharedMetrics } from './shared-metrics.js';
import { StorageSpaceMetrics } from './storage-space.js';

/** Metrics for Prometheus. */
@Global()
@Module({
  imports: [BlobsModule],
  providers: [Metrics, MetricsEndpoint, RequestMetrics, SharedMetrics, StorageSpaceMetrics, DamagedFiles],
  exports: [Metrics],
})
export class MetricsModule {}
