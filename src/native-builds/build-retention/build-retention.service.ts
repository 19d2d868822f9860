import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { attemptAll } from '../../common/background/attempt-all.js';
import { Config } from '../../config/config.js';
import { QueueService } from '../../queue/queue.service.js';
import { BuildRetentionQueries, type DeletedBatch, FIRST_ID } from './build-retention.queries.js';

/** Rows that one transaction deletes. */
const BATCH = 500;

/**
 * Deletes sources and artifacts of builds that are older than their app keeps them. The builds stay. The stored files
 * go with the next run of the retention of stored files.
 */
@Injectable()
export class BuildRetentionService implements OnModuleInit {
  private readonly logger = new Logger(BuildRetentionService.name);

  constructor(
    private readonly queries: BuildRetentionQueries,
    private readonly queue: QueueService,
    private readonly config: Config,
  ) {}

  /** Before the retention of stored files, which finds what is no longer used. */
  onModuleInit(): void {
    this.queue.schedule({
      name: 'build-retention',
      cron: '20 1 * * *',
      timeoutSeconds: 3600,
      run: () => this.run(),
    });
  }

  /** Deletes what is due; may run several times at once. */
  private async run(): Promise<void> {
    const { buildSourceDays, buildArtifactDays, uploadDays } = this.config.retention;
    const deleteSources = (after: string) =>
      this.queries.deleteSources(BATCH, after, buildSourceDays, uploadDays);
    const deleteArtifacts = (after: string) => this.queries.deleteArtifacts(BATCH, after, buildArtifactDays);
    const parts = [
      { name: 'sources', deleteBatch: deleteSources },
      { name: 'artifacts', deleteBatch: deleteArtifacts },
    ];
    await attemptAll(
      parts,
      async ({ name, deleteBatch }) => {
        const deleted = await deleteAll(deleteBatch);
        if (deleted > 0) this.logger.log({ deleted }, `Retention deleted ${name} of builds`);
      },
      (err, { name }) => this.logger.error({ err }, `Retention failed for ${name} of builds`),
    );
  }
}

/** In short transactions, past what is kept. @returns how many rows it deleted */
async function deleteAll(deleteBatch: (after: string) => Promise<DeletedBatch>): Promise<number> {
  let total = 0;
  for (let after: string | null = FIRST_ID; after !== null;) {
    const { deleted, next }: DeletedBatch = await deleteBatch(after);
    total += deleted;
    after = next;
  }
  return total;
}
