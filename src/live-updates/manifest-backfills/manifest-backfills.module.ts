import { Module } from '@nestjs/common';
import { QueueModule } from '../../queue/queue.module.js';
import { BundlesModule } from '../bundles/bundles.module.js';
import { UnsafeReuseModule } from '../unsafe-reuse/unsafe-reuse.module.js';
import { ManifestBackfillsQueries } from './manifest-backfills.queries.js';
import { ManifestBackfillsService } from './manifest-backfills.service.js';

@Module({
  imports: [BundlesModule, QueueModule, UnsafeReuseModule],
  providers: [ManifestBackfillsService, ManifestBackfillsQueries],
})
export class ManifestBackfillsModule {}
