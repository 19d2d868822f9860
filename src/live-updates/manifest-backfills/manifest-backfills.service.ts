import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { QueueService } from '../../queue/queue.service.js';
import { NamedManifestsService } from '../bundles/named-manifests.service.js';
import { StoredManifestsService } from '../bundles/stored-manifests.service.js';
import { UnsafeReuseService } from '../unsafe-reuse/unsafe-reuse.service.js';
import { type IncompleteBundle, ManifestBackfillsQueries } from './manifest-backfills.queries.js';

/** Bundles that one statement finds. */
const BATCH = 100;
/** Milliseconds after which a run begins nothing more. The next one goes on. */
const LONGEST_RUN = 45 * 60_000;

/**
 * Does for bundles of earlier versions what publication does now: compares their manifests with those of the other bundles
 * of the app, and makes named manifests. Also makes damaged named manifests again. May run several times at once, and end at
 * any point.
 */
@Injectable()
export class ManifestBackfillsService implements OnModuleInit {
  private readonly logger = new Logger(ManifestBackfillsService.name);

  constructor(
    private readonly queries: ManifestBackfillsQueries,
    private readonly manifests: StoredManifestsService,
    private readonly named: NamedManifestsService,
    private readonly reuses: UnsafeReuseService,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'named-manifests',
      cron: '20 * * * *',
      timeoutSeconds: 3600,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    const startedAt = new Date();
    let completed = 0;
    for (;;) {
      const bundles = await this.queries.next(startedAt, BATCH);
      for (const bundle of bundles) {
        if (Date.now() - startedAt.getTime() > LONGEST_RUN) return;
        await this.queries.markAttempted(bundle.id, startedAt);
        try {
          await this.complete(bundle);
          completed++;
        } catch (err) {
          this.logger.warn({ err, bundleId: bundle.id }, 'The manifest of a bundle could not be read');
        }
      }
      if (bundles.length < BATCH) break;
    }
    if (completed > 0) this.logger.log({ bundles: completed }, 'Manifests of older bundles were compared');
  }

  private async complete({
    id,
    appId,
    type,
    signed,
    compared,
    named,
    blob,
  }: IncompleteBundle): Promise<void> {
    if (!named) await this.named.create(appId, id);
    if (compared) return;
    const files = await (type === 'zip' ? this.manifests.inZip(blob) : this.manifests.ofManifest(blob));
    // Devices may hold unsigned ones as they were uploaded: the earlier version has offered them so.
    const offered = type === 'manifest' && signed;
    await transaction(() => this.reuses.backfill({ bundleId: id, appId, offered }, files));
  }
}
