import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { BundleDelta } from './bundle-delta.entity.js';
import { DeltasController } from './deltas.controller.js';
import { DeltasQueries } from './deltas.queries.js';
import { DeltasService } from './deltas.service.js';
import { TransferSizesController } from './transfer-sizes.controller.js';
import { TransferSizesQueries } from './transfer-sizes.queries.js';
import { UpdateCheckModule } from '../update-check/update-check.module.js';

@Module({
  imports: [TypeOrmModule.forFeature([BundleDelta]), BuildArtifactsModule, BlobsModule, UpdateCheckModule],
  controllers: [DeltasController, TransferSizesController],
  providers: [DeltasService, DeltasQueries, TransferSizesQueries],
})
export class DeltasModule {}
