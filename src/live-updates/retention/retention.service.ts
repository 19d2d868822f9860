import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { attemptAll } from '../../common/background/attempt-all.js';
import { Config } from '../../config/config.js';
import { QueueService } from '../../queue/queue.service.js';
import type { BlobSum } from '../../storage/blobs/blob-collector.queries.js';
import { BlobCollectorService } from '../../storage/blobs/blob-collector.service.js';
import { PlainManifestsQueries } from '../unsafe-reuse/plain-manifests.queries.js';
import { BundleDeletionService } from './bundle-deletion.service.js';
import { type PlannedBundle, RetentionQueries } from './retention.queries.js';
import { type ExpiredUploads, UploadExpiryService } from './upload-expiry.service.js';

/** What a run has deleted, or would. */
export interface RetentionReport {
  /** Bundles that nothing needs. */
  readonly bundles: number;
  readonly uploads: ExpiredUploads;
  /** Stored files that nothing uses. */
  readonly stored: BlobSum;
}

/** Deletes what is no longer needed: bundles, unfinished uploads, and the stored files of what was deleted. */
@Injectable()
export class RetentionService implements OnModuleInit {
  private readonly logger = new Logger(RetentionService.name);

  constructor(
    private readonly queries: RetentionQueries,
    private readonly deletion: BundleDeletionService,
    private readonly uploads: UploadExpiryService,
    private readonly collector: BlobCollectorService,
    private readonly manifests: PlainManifestsQueries,
    private readonly queue: QueueService,
    private readonly config: Config,
  ) {}

  /** After devices have expired. Should a run take longer, the next one begins beside it, which does no harm. */
  onModuleInit(): void {
    this.queue.schedule({
      name: 'retention',
      cron: '40 1 * * *',
      timeoutSeconds: 6 * 3600,
      run: () => this.run(),
    });
  }

  /**
   * Deletes what is due; may run several times at once.
   *
   * @param appId only bundles of this app; uploads and stored files are those of all
   * @throws the first failure, after all the rest is done
   */
  async run(appId: string | null = null): Promise<RetentionReport> {
    let bundles = 0;
    let uploads: ExpiredUploads = { bundles: 0, uploads: 0 };
    let stored: BlobSum = { blobs: 0, sizeInBytes: 0 };
    const parts = [
      ...(await this.appIds(appId)).map((id) => ({
        name: `bundles of the app ${id}`,
        run: async () => void (bundles += await this.deleteOf(id)),
      })),
      {
        name: 'manifests of deleted bundles',
        run: () => this.manifests.deleteUnneeded(this.config.retention.activeDeviceDays),
      },
      { name: 'unfinished uploads', run: async () => void (uploads = await this.uploads.expire()) },
      {
        name: 'stored files',
        run: async () => void (stored = await this.collector.collect(this.config.retention.graceDays)),
      },
    ];
    await attemptAll(
      parts,
      ({ run }) => run(),
      (err, { name }) => this.logger.error({ err }, `Retention failed for ${name}`),
    );
    const report = { bundles, uploads, stored };
    if (bundles + uploads.bundles + uploads.uploads + stored.blobs > 0) {
      this.logger.log(report, 'Retention deleted bundles, unfinished uploads or stored files');
    }
    return report;
  }

  /** As `run`, but changes nothing. @param eachBundle receives each bundle that nothing needs, also one that is not due yet */
  async preview(
    appId: string | null,
    eachBundle: (appId: string, bundle: PlannedBundle) => void,
  ): Promise<RetentionReport & { freedSizeInBytes: number }> {
    const ids: string[] = [];
    for (const id of await this.appIds(appId)) {
      for (const bundle of await this.queries.plan(id, { kept: false })) {
        eachBundle(id, bundle);
        ids.push(bundle.bundleId);
      }
    }
    return {
      bundles: ids.length,
      freedSizeInBytes: await this.queries.freed(ids),
      uploads: await this.uploads.find(),
      stored: await this.collector.find(),
    };
  }

  private appIds(appId: string | null): Promise<string[]> {
    return appId === null ? this.queries.appIds() : Promise.resolve([appId]);
  }

  private async deleteOf(appId: string): Promise<number> {
    await this.queries.mark(appId);
    let deleted = 0;
    for (const id of await this.queries.dueIds(appId)) {
      if (await this.deletion.deleteIf(appId, id, () => this.queries.isDue(appId, id))) deleted++;
    }
    if (deleted > 0) this.logger.log({ appId, deleted }, 'Retention deleted bundles of an app');
    return deleted;
  }
}
