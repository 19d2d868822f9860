import { Injectable } from '@nestjs/common';
import { Metrics, samplesOf } from '../../metrics/metrics.js';
import { CheckCounts } from './check-counts.js';
import { CheckInRecorder } from '../check-ins/check-in-recorder.js';
import { NewDeviceLimits } from '../check-ins/new-device-limits.js';
import { ReleaseCache } from '../releases/release-cache.js';

/** Exposes the counters of update checks and check-ins as metrics. */
@Injectable()
export class UpdateCheckMetrics {
  constructor(
    metrics: Metrics,
    counts: CheckCounts,
    checkIns: CheckInRecorder,
    newDevices: NewDeviceLimits,
    releases: ReleaseCache,
  ) {
    metrics.counter(
      {
        name: 'slipway_update_checks_total',
        help: 'Update checks, by path (fast or express) and result.',
        labelNames: ['path', 'result'],
      },
      () => [
        ...samplesOf('result', { ...counts.fast }, { path: 'fast' }),
        ...samplesOf('result', { ...counts.express }, { path: 'express' }),
      ],
    );
    metrics.counter(
      {
        name: 'slipway_check_ins_total',
        help: 'Check-ins of devices that were written to the database, or dropped.',
        labelNames: ['outcome'],
      },
      () => samplesOf('outcome', checkIns.outcomes),
    );
    metrics.counter(
      {
        name: 'slipway_new_devices_not_recorded_total',
        help: 'Check-ins of new devices that were not recorded because of a limit.',
        labelNames: ['reason'],
      },
      () => samplesOf('reason', { ...newDevices.refused }),
    );
    metrics.gauge(
      { name: 'slipway_check_in_buffer_size', help: 'Check-ins of devices that wait to be written.' },
      () => checkIns.waiting,
    );
    metrics.gauge(
      { name: 'slipway_release_cache_apps', help: 'Apps whose release table is in memory.' },
      () => releases.usage.apps,
    );
    metrics.gauge(
      { name: 'slipway_release_cache_bytes', help: 'Estimated size of the release tables in memory.' },
      () => releases.usage.bytes,
    );
    metrics.gauge(
      {
        name: 'slipway_releases_stale',
        help: '1 while release tables cannot be loaded, and update checks get those in memory, otherwise 0.',
      },
      () => Number(releases.latestOutage?.to === null),
      'max',
    );
    metrics.counter(
      {
        name: 'slipway_stale_update_checks_total',
        help: 'Update checks that were answered from memory while release tables could not be loaded.',
      },
      () => [{ labels: {}, value: releases.staleHits }],
    );
    metrics.counter(
      {
        name: 'slipway_release_cache_lookups_total',
        help: 'Update checks that found what they needed in memory (hit), or had to wait for the database (miss).',
        labelNames: ['result'],
      },
      () => samplesOf('result', releases.lookups),
    );
  }
}
