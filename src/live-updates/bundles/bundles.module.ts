import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { WebBundles } from '../../native-builds/runner-builds/web-bundles.js';
import { BlobVariantsModule } from '../../storage/blob-variants/blob-variants.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { UploadsModule } from '../../storage/uploads/uploads.module.js';
import { BundleFilesQueries } from '../bundle-files/bundle-files.queries.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { GeneratedZipsModule } from '../generated-zips/generated-zips.module.js';
import { UnsafeReuseModule } from '../unsafe-reuse/unsafe-reuse.module.js';
import { QueueModule } from '../../queue/queue.module.js';
import { BundleOwnersQueries } from '../bundle-content/bundle-owners.queries.js';
import { NamedManifestRepairs } from '../named-manifests/named-manifest-repairs.service.js';
import { NamedManifestsQueries } from '../named-manifests/named-manifests.queries.js';
import { NamedManifestsService } from '../named-manifests/named-manifests.service.js';
import { Bundle } from './bundle.entity.js';
import { BundlesController } from './bundles.controller.js';
import { BundlesPresenter } from './bundles.presenter.js';
import { BundlesService } from './bundles.service.js';
import { BundlePublicationService } from './publication/bundle-publication.service.js';
import { BundleVerificationService } from './publication/bundle-verification.service.js';
import { BundleWriter } from './publication/bundle-writer.service.js';
import { DerivedFilesService } from './publication/derived-files.service.js';
import { FlaggedZipsService } from './publication/flagged-zips.service.js';
import { UploadedFilesQueries } from './publication/uploaded-files.queries.js';
import { WebBundlesService } from './publication/web-bundles.service.js';

/** Global because it provides `WebBundles` to builds, which may not import this area. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Bundle]),
    AppAccessModule,
    BlobsModule,
    BlobVariantsModule,
    BuildsModule,
    BuildArtifactsModule,
    ChannelsModule,
    DeploymentsModule,
    GeneratedZipsModule,
    UploadsModule,
    UnsafeReuseModule,
    QueueModule,
  ],
  controllers: [BundlesController],
  providers: [
    BundlesService,
    BundlesPresenter,
    BundlePublicationService,
    BundleVerificationService,
    BundleWriter,
    DerivedFilesService,
    FlaggedZipsService,
    UploadedFilesQueries,
    BundleFilesQueries,
    { provide: WebBundles, useClass: WebBundlesService },
    BundleOwnersQueries,
    NamedManifestRepairs,
    NamedManifestsQueries,
    NamedManifestsService,
  ],
  exports: [BundlesService, WebBundles, NamedManifestsService],
})
export class BundlesModule {}
