import { Global, Module } from '@nestjs/common';
import { JobLogsModule } from '../job-logs/job-logs.module.js';
import { FailureNotes } from '../jobs/failure-notes.js';
import { FailureSummarizer } from './failure-summarizer.js';
import { FailureSummariesController } from './failure-summaries.controller.js';
import { FailureSummariesService } from './failure-summaries.service.js';

/** Global because it provides `FailureNotes` to jobs, which it imports. */
@Global()
@Module({
  imports: [JobLogsModule],
  controllers: [FailureSummariesController],
  providers: [
    FailureSummariesService,
    FailureSummarizer,
    { provide: FailureNotes, useExisting: FailureSummarizer },
  ],
  exports: [FailureNotes],
})
export class FailureSummariesModule {}
