import { Module } from '@nestjs/common';
import { CheckInRecorder } from './check-in-recorder.js';
import { CheckInsQueries } from './check-ins.queries.js';
import { NewDeviceLimits } from './new-device-limits.js';
import { RollbackAnnouncer } from './rollback-announcer.js';
import { CustomIdsQueries } from './custom-ids.queries.js';
import { CustomIds } from './custom-ids.js';

@Module({
  providers: [
    CheckInRecorder,
    CheckInsQueries,
    CustomIds,
    CustomIdsQueries,
    NewDeviceLimits,
    RollbackAnnouncer,
  ],
  exports: [CheckInRecorder, CustomIds, NewDeviceLimits],
})
export class CheckInsModule {}
