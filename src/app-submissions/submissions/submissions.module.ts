import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobLogsModule } from '../../jobs/job-logs/job-logs.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { Submission } from './submission.entity.js';
import { SubmissionCreation } from './submission-creation.service.js';
import { SubmissionProgress } from './submission-progress.service.js';
import { SubmissionsService } from './submissions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Submission]), DestinationsModule, JobLogsModule, JobsModule],
  providers: [SubmissionsService, SubmissionCreation, SubmissionProgress],
  exports: [SubmissionsService, SubmissionCreation, SubmissionProgress],
})
export class SubmissionsModule {}
