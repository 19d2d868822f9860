import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { OutboundModule } from '../../common/http/outbound/outbound.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { BlobsModule, StagingMulterModule } from '../../storage/blobs/blobs.module.js';
import { StorageQuotasModule } from '../../storage/quotas/storage-quotas.module.js';
import { UploadsModule } from '../../storage/uploads/uploads.module.js';
import { BuildSource } from './build-source.entity.js';
import { BuildSourceFetchesService } from './build-source-fetches.service.js';
import { BuildSourcesController } from './build-sources.controller.js';
import { BuildSourcesService } from './build-sources.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([BuildSource]),
    AppAccessModule,
    BlobsModule,
    JobsModule,
    OutboundModule,
    StagingMulterModule,
    StorageQuotasModule,
    UploadsModule,
  ],
  controllers: [BuildSourcesController],
  providers: [BuildSourcesService, BuildSourceFetchesService],
  exports: [BuildSourcesService],
})
export class BuildSourcesModule {}
