import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { NamedManifestsQueries } from './named-manifests.queries.js';
import { NamedManifestsService } from './named-manifests.service.js';

const QUEUE: QueueDefinition = {
  name: 'named-manifests',
  retryLimit: 3,
  retryDelay: 60,
  retryDelayMax: 600,
  expireInSeconds: 3600,
};
const HOURLY = '20 * * * *';
/** Milliseconds after which a run begins nothing more. */
const LONGEST_RUN = 45 * 60_000;

/** Makes damaged named manifests again, every hour. May run several times at once, and end at any point. */
@Injectable()
export class NamedManifestRepairs implements OnModuleInit {
  private readonly logger = new Logger(NamedManifestRepairs.name);

  constructor(
    private readonly queries: NamedManifestsQueries,
    private readonly manifests: NamedManifestsService,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(QUEUE, HOURLY, () => this.repair());
  }

  private async repair(): Promise<void> {
    const startedAt = Date.now();
    for (const bundle of await this.queries.damaged()) {
      if (Date.now() - startedAt > LONGEST_RUN) return;
      try {
        await this.manifests.create(bundle);
      } catch (err) {
        this.logger.warn({ err, ...bundle }, 'A damaged manifest could not be made again');
      }
    }
  }
}
