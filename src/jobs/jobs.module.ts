import { Module } from '@nestjs/common';
import { FailureSummariesModule } from './failure-summaries/failure-summaries.module.js';
import { JobLeasesModule } from './job-leases/job-leases.module.js';
import { JobQueuesModule } from './job-queues/job-queues.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LostRunnersModule } from './lost-runners/lost-runners.module.js';
import { RunnerSessionsModule } from './runner-sessions/runner-sessions.module.js';
import { RunnersModule } from './runners/runners.module.js';

@Module({
  imports: [
    JobsModule,
    FailureSummariesModule,
    JobLeasesModule,
    JobQueuesModule,
    LostRunnersModule,
    RunnersModule,
    RunnerSessionsModule,
  ],
})
export class JobsAreaModule {}
