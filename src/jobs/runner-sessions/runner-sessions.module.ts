import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HealthModule } from '../../health/health.module.js';
import { RateLimitsModule } from '../../rate-limits/rate-limits.module.js';
import { RunnerJobsModule } from '../runner-jobs/runner-jobs.module.js';
import { JobQueuesModule } from '../job-queues/job-queues.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { ClaimsService } from './claims.service.js';
import { RunnerSession } from './runner-session.entity.js';
import { RunnerSessionsController } from './runner-sessions.controller.js';
import { RunnerSessionsQueries } from './runner-sessions.queries.js';
import { RunnerSessionsService } from './runner-sessions.service.js';
import { RunnerTokenGuard } from './runner-token.guard.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([RunnerSession]),
    HealthModule,
    RunnerJobsModule,
    JobQueuesModule,
    JobsModule,
    RateLimitsModule,
  ],
  controllers: [RunnerSessionsController],
  providers: [ClaimsService, RunnerSessionsQueries, RunnerSessionsService, RunnerTokenGuard],
})
export class RunnerSessionsModule {}
