import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { VERSION } from '../config/version.js';
import { KeptRows } from '../database/outages/kept-rows.js';
import { ChangeSignals } from '../database/change-signals.js';
import { QueueService } from '../queue/queue.service.js';
import { BlobChecksService } from '../storage/blobs/blob-checks.service.js';
import { StorageFailures } from '../storage/storage-failures.js';
import { DamagedFiles } from './damaged-files.js';
import { Metrics, samplesOf } from './metrics.js';

/** The metrics of the shared parts. */
@Injectable()
export class SharedMetrics {
  constructor(
    metrics: Metrics,
    database: DataSource,
    signals: ChangeSignals,
    keptRows: KeptRows,
    queue: QueueService,
    damagedFiles: DamagedFiles,
    checks: BlobChecksService,
    failures: StorageFailures,
  ) {
    metrics.gauges(
      { name: 'slipway_build_info', help: 'Always 1, with the version of Slipway.', labelNames: ['version'] },
      () => Promise.resolve([{ labels: { version: VERSION }, value: 1 }]),
    );
    const pool = (): Pool => (database.driver as unknown as { readonly master: Pool }).master;
    metrics.gauge(
      { name: 'slipway_database_pool_size', help: 'Connections to PostgreSQL that are open.' },
      () => pool().totalCount,
    );
    metrics.gauge(
      { name: 'slipway_database_pool_idle', help: 'Connections that are idle.' },
      () => pool().idleCount,
    );
    metrics.gauge(
      {
        name: 'slipway_database_pool_waiting',
        help: 'Statements and transactions that wait for a connection.',
      },
      () => pool().waitingCount,
    );
    metrics.gauge(
      {
        name: 'slipway_notifications_connected',
        help: '1 while the process is subscribed to change notifications, otherwise 0.',
      },
      () => Number(signals.isConnected),
      'min',
    );
    metrics.counter(
      {
        name: 'slipway_stale_downloads_total',
        help: 'Downloads that were found in memory, because the database was not available.',
      },
      () => [{ labels: {}, value: keptRows.staleCount }],
    );
    metrics.gauge(
      { name: 'slipway_damaged_files', help: 'Stored files that are known to be damaged.' },
      () => damagedFiles.count(),
      'max',
    );
    metrics.counter(
      {
        name: 'slipway_stored_file_checks_total',
        help: 'Stored files that were verified, by what was found.',
        labelNames: ['outcome'],
      },
      () => samplesOf('outcome', checks.outcomes),
    );
    metrics.counter(
      {
        name: 'slipway_storage_failures_total',
        help: 'Requests to object storage that failed after all attempts, by reason.',
        labelNames: ['reason'],
      },
      () => samplesOf('reason', failures.counts),
    );
    metrics.counter(
      {
        name: 'slipway_queue_jobs_total',
        help: 'Attempts at background jobs; a failed one is tried again.',
        labelNames: ['queue', 'outcome'],
      },
      () => [...queue.outcomes].flatMap(([name, counts]) => samplesOf('outcome', counts, { queue: name })),
    );
  }
}
