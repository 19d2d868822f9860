import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { UploadsModule } from '../../storage/uploads/uploads.module.js';
import { BundleFile } from './bundle-file.entity.js';
import { BundleFilesController } from './bundle-files.controller.js';
import { BundleFilesQueries } from './bundle-files.queries.js';
import { BundleFilesService } from './bundle-files.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([BundleFile]), UploadsModule, BuildArtifactsModule],
  controllers: [BundleFilesController],
  providers: [BundleFilesService, BundleFilesQueries],
})
export class BundleFilesModule {}
