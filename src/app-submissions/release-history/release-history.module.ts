import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ReleasesModule } from '../releases/releases.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { ReleaseEvent } from './release-event.entity.js';
import { ReleaseHistoryRecorder } from './release-history-recorder.service.js';
import { ReleaseHistory } from './release-history.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ReleaseEvent]), ReleasesModule, SubmissionsModule],
  providers: [ReleaseHistory, ReleaseHistoryRecorder],
  exports: [ReleaseHistory],
})
export class ReleaseHistoryModule {}
