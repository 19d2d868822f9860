import { Module } from '@nestjs/common';
import { ArtifactHolds } from './artifact-holds.js';
import { BuildRetentionQueries } from './build-retention.queries.js';
import { BuildRetentionService } from './build-retention.service.js';

@Module({
  providers: [BuildRetentionService, BuildRetentionQueries, ArtifactHolds],
  exports: [ArtifactHolds],
})
export class BuildRetentionModule {}
