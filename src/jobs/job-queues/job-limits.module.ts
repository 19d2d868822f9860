import { Module } from '@nestjs/common';
import { JobsQueries } from '../jobs/jobs.queries.js';
import { JobLimitsQueries } from './job-limits.queries.js';
import { JobLimitsService } from './job-limits.service.js';

/** For the command of operators, which needs nothing else. */
@Module({ providers: [JobLimitsService, JobLimitsQueries, JobsQueries], exports: [JobLimitsService] })
export class JobLimitsModule {}
