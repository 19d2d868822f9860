import { Module } from '@nestjs/common';
import { JobLeasesModule } from './job-leases/job-leases.module.js';
import { JobsModule } from './jobs/jobs.module.js';

@Module({ imports: [JobsModule, JobLeasesModule] })
export class JobsAreaModule {}
