import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { WorkerJobs } from './worker-jobs.service.js';

@Module({ imports: [JobsModule], providers: [WorkerJobs], exports: [WorkerJobs] })
export class WorkerJobsModule {}
