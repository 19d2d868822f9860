import { Module } from '@nestjs/common';
import { MetricsModule } from '../../metrics/metrics.module.js';
import { RunnerJobsModule } from '../runner-jobs/runner-jobs.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { JobMatcher } from './job-matcher.js';
import { JobMatchingService } from './job-matching.service.js';
import { JobQueuesQueries } from './job-queues.queries.js';
import { QueueMetrics } from './queue-metrics.js';
import { QueueStateQueries } from './queue-state.queries.js';
import { QueueStateService } from './queue-state.service.js';
import { UnmatchedJobEvents } from './unmatched-job-events.service.js';
import { UnmatchedJobs } from './unmatched-jobs.service.js';
import { WaitingClaims } from './waiting-claims.js';

@Module({
  imports: [RunnerJobsModule, JobsModule, MetricsModule],
  providers: [
    JobMatcher,
    JobMatchingService,
    JobQueuesQueries,
    QueueMetrics,
    QueueStateQueries,
    QueueStateService,
    UnmatchedJobEvents,
    UnmatchedJobs,
    WaitingClaims,
  ],
  exports: [JobMatcher, QueueStateService, WaitingClaims],
})
export class JobQueuesModule {}
