import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { UploadsModule } from '../../storage/uploads/uploads.module.js';
import { UnsafeReuseModule } from '../unsafe-reuse/unsafe-reuse.module.js';
import { BundleDeletionService } from './bundle-deletion.service.js';
import { BundleExpiration } from './bundle-expiration.entity.js';
import { BundleRetentionController } from './bundle-retention.controller.js';
import { BundleRetentionService } from './bundle-retention.service.js';
import { RetentionQueries } from './retention.queries.js';
import { RetentionService } from './retention.service.js';
import { RetiredDeploymentsQueries } from './retired-deployments.queries.js';
import { UploadExpiryQueries } from './upload-expiry.queries.js';
import { UploadExpiryService } from './upload-expiry.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([BundleExpiration]),
    BlobsModule,
    BuildsModule,
    UnsafeReuseModule,
    UploadsModule,
  ],
  controllers: [BundleRetentionController],
  providers: [
    BundleRetentionService,
    RetentionService,
    RetentionQueries,
    UploadExpiryService,
    UploadExpiryQueries,
    BundleDeletionService,
    RetiredDeploymentsQueries,
  ],
})
export class RetentionModule {}
