import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { BuildArtifact } from './build-artifact.entity.js';
import { BuildArtifactsController } from './build-artifacts.controller.js';
import { BuildArtifactsService } from './build-artifacts.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([BuildArtifact]), AppAccessModule, BlobsModule],
  controllers: [BuildArtifactsController],
  providers: [BuildArtifactsService],
  exports: [BuildArtifactsService],
})
export class BuildArtifactsModule {}
