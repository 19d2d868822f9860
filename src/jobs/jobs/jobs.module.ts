import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { JobApps } from '../../apps/app-access/job-apps.js';
import { JobLogsModule } from '../job-logs/job-logs.module.js';
import { JobKindsModule } from '../job-kinds/job-kinds.module.js';
import { WorkerJobs } from './worker-jobs.service.js';
import { Job } from './job.entity.js';
import { JobEndings } from './job-endings.service.js';
import { JobLeasesQueries } from '../job-leases/job-leases.queries.js';
import { JobsController } from './jobs.controller.js';
import { JobsPresenter } from './jobs.presenter.js';
import { JobsQueries } from './jobs.queries.js';
import { JobsService } from './jobs.service.js';

/** Global because it provides `JobApps` to the access guard, which may not import jobs. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Job]), AppAccessModule, JobKindsModule, JobLogsModule],
  controllers: [JobsController],
  providers: [
    JobsService,
    JobsQueries,
    JobsPresenter,
    JobEndings,
    JobLeasesQueries,
    { provide: JobApps, useExisting: JobsQueries },
    WorkerJobs,
  ],
  exports: [
    JobsService,
    JobsQueries,
    JobsPresenter,
    JobEndings,
    JobLeasesQueries,
    JobApps,
    JobKindsModule,
    JobLogsModule,
    WorkerJobs,
  ],
})
export class JobsModule {}
