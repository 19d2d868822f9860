import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { ArtifactReadersModule } from '../artifact-readers/artifact-readers.module.js';
import { ArtifactDetails } from './artifact-details.entity.js';
import { ArtifactDetailsService } from './artifact-details.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ArtifactDetails]), ArtifactReadersModule, BlobsModule],
  providers: [ArtifactDetailsService],
  exports: [ArtifactDetailsService],
})
export class ArtifactDetailsModule {}
