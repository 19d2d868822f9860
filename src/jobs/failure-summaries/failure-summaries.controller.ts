import { Controller, HttpCode, Post } from '@nestjs/common';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { FailureSummariesService } from './failure-summaries.service.js';
import { FailureSummaryDto } from './failure-summary.dto.js';

@ApiTags('Jobs')
@Controller('jobs/:jobId/failure-summary')
export class FailureSummariesController {
  constructor(private readonly summaries: FailureSummariesService) {}

  /**
   * Explains why a job failed: the failing step, the lines of its log that matter, and what to do. The summary is made at
   * the first request and kept as long as the log. The server makes it by itself, without a service on the internet.
   */
  @Post()
  @HttpCode(200)
  @ApiSuccess('The summary.')
  @OwnTransactions()
  @Requires('builds:read')
  @ApiErrors('job_not_failed', 'storage_unavailable')
  async create(@IdParam('jobId') jobId: string): Promise<FailureSummaryDto> {
    return { summary: await this.summaries.of(jobId) };
  }
}
