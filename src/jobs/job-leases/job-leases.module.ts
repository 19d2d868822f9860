import { Module } from '@nestjs/common';
import { Config, decryptionKeysOf } from '../../config/config.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { JobLeasesService } from './job-leases.service.js';
import { JobTokenGuard } from './job-token.guard.js';
import { LeaseExpiry } from './lease-expiry.js';
import { LeaseTokens } from './lease-token.js';
import { RunnerJobsController } from './runner-jobs.controller.js';
import { RunnerJobsService } from './runner-jobs.service.js';

@Module({
  imports: [JobsModule],
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
    LeaseExpiry,
  ],
  exports: [LeaseTokens, JobLeasesService, JobTokenGuard],
})
export class JobLeasesModule {}
