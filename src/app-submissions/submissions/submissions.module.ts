import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { WorkerJobsModule } from '../../jobs/worker-jobs/worker-jobs.module.js';
import { Submission } from './submission.entity.js';
import { SubmissionsService } from './submissions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Submission]), JobsModule, WorkerJobsModule],
  providers: [SubmissionsService],
  exports: [SubmissionsService],
})
export class SubmissionsModule {}
