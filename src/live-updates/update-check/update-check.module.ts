import { Module } from '@nestjs/common';
import { DeviceSightings } from './device-sightings.js';
import { DatabaseReleaseTables, ReleaseTables } from './release-tables.js';
import { UpdateCheckController } from './update-check.controller.js';
import { UpdateCheckService } from './update-check.service.js';

@Module({
  controllers: [UpdateCheckController],
  providers: [
    UpdateCheckService,
    DeviceSightings,
    { provide: ReleaseTables, useClass: DatabaseReleaseTables },
  ],
})
export class UpdateCheckModule {}
