import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { QueueService } from '../../queue/queue.service.js';
import { ObjectStorage } from '../object-storage.js';
import { StorageGarbageService } from './storage-garbage.service.js';

/** Milliseconds since its last change after which nothing is a request in progress. */
const AGE = 86_400_000;
/** Killed servers leave fewer objects in a day, or a smaller share of a large storage. */
const MAX_ORPHANS = 100;
const MAX_SHARE = 0.01;

/** Removes every day what killed servers have left in the storage. May run several times at once, and end at any point. */
@Injectable()
export class StorageCleaning implements OnModuleInit {
  private readonly logger = new Logger(StorageCleaning.name);

  constructor(
    private readonly storage: ObjectStorage,
    private readonly garbage: StorageGarbageService,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'storage-clean',
      cron: '10 2 * * *',
      timeoutSeconds: 21_600,
      run: () => this.clean(),
    });
  }

  /**
   * Killed servers leave few objects. When many have no owner, or more than have one, the database is probably not the one
   * of these files, or not the only one, and none is removed.
   */
  private async clean(): Promise<void> {
    const olderThan = new Date(Date.now() - AGE);
    const abandonedWrites = await this.storage.removeAbandoned(olderThan);
    const { orphans, owned } = await this.garbage.survey(olderThan);
    const isSuspicious = orphans.length > Math.max(MAX_ORPHANS, MAX_SHARE * owned);
    if (orphans.length > owned || isSuspicious) {
      this.logger.warn(
        { orphans: orphans.length, owned },
        'Many stored files belong to nothing in this database, so none is removed: "slipway storage clean" lists them',
      );
      return;
    }
    await this.garbage.discard(orphans);
    if (abandonedWrites + orphans.length > 0)
      this.logger.log({ abandonedWrites, orphans: orphans.length }, 'Garbage in the storage was removed');
  }
}
