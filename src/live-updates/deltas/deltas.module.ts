import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BlobDownloadsModule } from '../../storage/blob-downloads/blob-downloads.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { BundleDelta } from './bundle-delta.entity.js';
import { DeltasController } from './deltas.controller.js';
import { DeltasQueries } from './deltas.queries.js';
import { DeltasService } from './deltas.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([BundleDelta]), BuildArtifactsModule, BlobDownloadsModule, BlobsModule],
  controllers: [DeltasController],
  providers: [DeltasService, DeltasQueries],
})
export class DeltasModule {}
