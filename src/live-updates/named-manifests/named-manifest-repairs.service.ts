import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { QueueService } from '../../queue/queue.service.js';
import { NamedManifestsQueries } from './named-manifests.queries.js';
import { NamedManifestsService } from './named-manifests.service.js';

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
    this.queue.schedule({
      name: 'named-manifests',
      cron: '20 * * * *',
      timeoutSeconds: 3600,
      run: () => this.repair(),
    });
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
