import { Module } from '@nestjs/common';
import { QueueModule } from '../../queue/queue.module.js';
import { BlobVariantsModule } from '../../storage/blob-variants/blob-variants.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { BundleOwnersQueries } from '../bundle-content/bundle-owners.queries.js';
import { NamedManifestRepairs } from './named-manifest-repairs.service.js';
import { BundleFilesQueries } from '../bundle-files/bundle-files.queries.js';
import { NamedManifestsQueries } from './named-manifests.queries.js';
import { NamedManifestsService } from './named-manifests.service.js';

@Module({
  imports: [BlobsModule, BlobVariantsModule, QueueModule],
  providers: [
    BundleFilesQueries,
    BundleOwnersQueries,
    NamedManifestRepairs,
    NamedManifestsQueries,
    NamedManifestsService,
  ],
  exports: [NamedManifestsService],
})
export class NamedManifestsModule {}
