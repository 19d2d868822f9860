import { Module } from '@nestjs/common';
import { Config, decryptionKeysOf } from '../../config/config.js';
import { RateLimitsModule } from '../../rate-limits/rate-limits.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { JobLeasesService } from './job-leases.service.js';
import { JobTokenGuard } from './job-token.guard.js';
import { JobExpiry } from './job-expiry.js';
import { JobExpiryQueries } from './job-expiry.queries.js';
import { LeaseTokens } from '../job-leases/lease-token.js';
import { RunnerJobsController } from './runner-jobs.controller.js';
import { RunnerJobsService } from './runner-jobs.service.js';

@Module({
  imports: [JobsModule, RateLimitsModule],
  controllers: [RunnerJobsController],
  providers: [
    {
      provide: LeaseTokens,
      inject: [Config],
      useFactory: (config: Config) => new LeaseTokens(decryptionKeysOf(config)),
    },
    JobLeasesService,
    RunnerJobsService,
    JobTokenGuard,
    JobExpiry,
    JobExpiryQueries,
  ],
  // The guard is made in each module that uses it, with what it needs.
  exports: [LeaseTokens, JobLeasesService, JobTokenGuard, RateLimitsModule],
})
export class RunnerJobsModule {}
