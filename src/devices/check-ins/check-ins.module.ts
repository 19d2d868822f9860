import { Module } from '@nestjs/common';
import { CheckInRecorder } from './check-in-recorder.js';
import { CheckInsQueries } from './check-ins.queries.js';
import { CustomIds } from './custom-ids.js';

@Module({
  providers: [CheckInRecorder, CheckInsQueries, CustomIds],
  exports: [CheckInRecorder, CustomIds],
})
export class CheckInsModule {}
