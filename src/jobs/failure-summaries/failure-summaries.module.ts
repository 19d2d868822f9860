import { Module } from '@nestjs/common';
import { JobLogsModule } from '../job-logs/job-logs.module.js';
import { FailureSummariesController } from './failure-summaries.controller.js';
import { FailureSummariesService } from './failure-summaries.service.js';

@Module({
  imports: [JobLogsModule],
  controllers: [FailureSummariesController],
  providers: [FailureSummariesService],
})
export class FailureSummariesModule {}
