import { Injectable } from '@nestjs/common';
import { Metrics, samplesOf } from '../../metrics/metrics.js';
import { CheckCounts } from './check-counts.js';
import { DeviceSightings } from './device-sightings.js';
import { ReleaseCache } from './release-cache.js';

/** Lets the numbers that are counted on the way of a check be read as metrics. */
@Injectable()
export class UpdateCheckMetrics {
  constructor(metrics: Metrics, counts: CheckCounts, sightings: DeviceSightings, releases: ReleaseCache) {
    metrics.counter(
      {
        name: 'slipway_update_checks_total',
        help: 'Update checks, by the road that answered them and by what they were told.',
        labelNames: ['road', 'result'],
      },
      () => [
        ...samplesOf('result', { ...counts.short }, { road: 'short' }),
        ...samplesOf('result', { ...counts.express }, { road: 'express' }),
      ],
    );
    metrics.counter(
      {
        name: 'slipway_device_sightings_total',
        help: 'Sightings of devices that were written to the database, or left out.',
        labelNames: ['outcome'],
      },
      () => samplesOf('outcome', sightings.outcomes),
    );
    metrics.gauge(
      { name: 'slipway_device_buffer_size', help: 'Sightings of devices that wait to be written.' },
      () => sightings.waiting,
    );
    metrics.gauge(
      { name: 'slipway_release_cache_apps', help: 'Apps whose release table is in memory.' },
      () => releases.usage.apps,
    );
    metrics.gauge(
      { name: 'slipway_release_cache_bytes', help: 'Estimated size of the release tables in memory.' },
      () => releases.usage.bytes,
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
