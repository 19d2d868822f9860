import { Module } from '@nestjs/common';
import { CustomIds } from './custom-ids.js';
import { DeviceSightings } from './device-sightings.js';
import { DatabaseReleaseTables, ReleaseTables } from './release-tables.js';
import { UpdateCheckController } from './update-check.controller.js';
import { UpdateCheckService } from './update-check.service.js';

@Module({
  controllers: [UpdateCheckController],
  providers: [
    UpdateCheckService,
    DeviceSightings,
    CustomIds,
    DatabaseReleaseTables,
    { provide: ReleaseTables, useExisting: DatabaseReleaseTables },
  ],
  exports: [CustomIds, ReleaseTables, DatabaseReleaseTables],
})
export class UpdateCheckModule {}
