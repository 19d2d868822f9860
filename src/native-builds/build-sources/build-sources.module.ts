import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { OutboundModule } from '../../common/http/outbound/outbound.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { BlobDownloadsModule } from '../../storage/blob-downloads/blob-downloads.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { UploadsModule } from '../../storage/uploads/uploads.module.js';
import { BuildNumbersModule } from '../build-numbers/build-numbers.module.js';
import { BuildSource } from './build-source.entity.js';
import { BuildSourceFetchesService } from './build-source-fetches.service.js';
import { BuildSourcesController } from './build-sources.controller.js';
import { BuildSourcesQueries } from './build-sources.queries.js';
import { BuildSourcesService } from './build-sources.service.js';
import { SourceAddresses } from './source-addresses.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([BuildSource]),
    AppAccessModule,
    BlobDownloadsModule,
    BlobsModule,
    JobsModule,
    OutboundModule,
    BuildNumbersModule,
    UploadsModule,
  ],
  controllers: [BuildSourcesController],
  providers: [BuildSourcesService, BuildSourcesQueries, BuildSourceFetchesService, SourceAddresses],
  exports: [BuildSourcesService],
})
export class BuildSourcesModule {}
