import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { attemptAll } from '../../common/background/attempt-all.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobsQueries } from '../../jobs/jobs/jobs.queries.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import { ImportsQueries } from './imports.queries.js';

/** How long an upload may take. */
const HOURS = 24;

/** Ends imports that wait for an upload that does not come. */
@Injectable()
export class ImportDeadline implements OnModuleInit {
  private readonly logger = new Logger(ImportDeadline.name);

  constructor(
    private readonly queries: ImportsQueries,
    private readonly jobs: JobsService,
    private readonly jobsQueries: JobsQueries,
    private readonly artifacts: BuildArtifactsService,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'import-deadline',
      cron: '*/15 * * * *',
      timeoutSeconds: 600,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    await attemptAll(
      await this.queries.unfinished(HOURS),
      (jobId) => this.end(jobId),
      (err, jobId) => this.logger.error({ err, jobId }, 'An import whose upload is late was not ended'),
    );
  }

  private end(jobId: string): Promise<void> {
    return transaction(async () => {
      // A completion that was faster has the lock.
      await this.jobsQueries.lock(jobId);
      const job = (await this.jobs.getMany([jobId])).get(jobId);
      const artifacts = job?.subjectId ? await this.artifacts.listAll([job.subjectId]) : [];
      if (artifacts.some(({ blobId }) => blobId !== null)) return;
      await this.jobs.fail(jobId, `The upload was not completed within ${HOURS} hours.`);
    });
  }
}
