import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { ArtifactReaderService } from '../artifact-readers/artifact-reader.service.js';
import { ArtifactDetails } from './artifact-details.entity.js';
import { ArtifactDetailsService } from './artifact-details.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ArtifactDetails]), BlobsModule],
  providers: [ArtifactDetailsService, ArtifactReaderService],
  exports: [ArtifactDetailsService, ArtifactReaderService],
})
export class ArtifactDetailsModule {}
