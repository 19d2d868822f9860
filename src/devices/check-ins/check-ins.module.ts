import { Module } from '@nestjs/common';
import { CheckInRecorder } from './check-in-recorder.js';
import { CheckInsQueries } from './check-ins.queries.js';
import { RollbackAnnouncer } from './rollback-announcer.js';
import { CustomIds } from './custom-ids.js';

@Module({
  providers: [CheckInRecorder, CheckInsQueries, CustomIds, RollbackAnnouncer],
  exports: [CheckInRecorder, CustomIds],
})
export class CheckInsModule {}
