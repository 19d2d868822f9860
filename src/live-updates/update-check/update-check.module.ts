import { Module } from '@nestjs/common';
import { CheckCounts } from './check-counts.js';
import { CustomIds } from './custom-ids.js';
import { DeviceRoad } from './device-road.js';
import { DeviceSightings } from './device-sightings.js';
import { DeviceSightingsQueries } from './device-sightings.queries.js';
import { ReleaseCache } from './release-cache.js';
import { ReleaseTables } from './release-tables.js';
import { UpdateCheckController } from './update-check.controller.js';
import { UpdateCheckMetrics } from './update-check.metrics.js';
import { UpdateCheckService } from './update-check.service.js';

@Module({
  controllers: [UpdateCheckController],
  providers: [
    UpdateCheckService,
    CheckCounts,
    UpdateCheckMetrics,
    DeviceRoad,
    DeviceSightings,
    DeviceSightingsQueries,
    CustomIds,
    ReleaseTables,
    ReleaseCache,
  ],
  exports: [CustomIds, DeviceSightings, ReleaseTables],
})
export class UpdateCheckModule {}
