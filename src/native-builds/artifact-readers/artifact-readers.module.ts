import { Module } from '@nestjs/common';
import { ArtifactReaderService } from './artifact-reader.service.js';

@Module({ providers: [ArtifactReaderService], exports: [ArtifactReaderService] })
export class ArtifactReadersModule {}
