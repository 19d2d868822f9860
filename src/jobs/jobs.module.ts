import { Module } from '@nestjs/common';
import { FailureSummariesModule } from './failure-summaries/failure-summaries.module.js';
import { RunnerJobsModule } from './runner-jobs/runner-jobs.module.js';
import { JobQueuesModule } from './job-queues/job-queues.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { RunnerSessionsModule } from './runner-sessions/runner-sessions.module.js';
import { RunnersModule } from './runners/runners.module.js';

@Module({
  imports: [
    JobsModule,
    FailureSummariesModule,
    RunnerJobsModule,
    JobQueuesModule,
    RunnersModule,
    RunnerSessionsModule,
  ],
})
export class JobsAreaModule {}
