import { Module } from '@nestjs/common';
import { BuildRetentionQueries } from './build-retention.queries.js';
import { BuildRetentionService } from './build-retention.service.js';

@Module({ providers: [BuildRetentionService, BuildRetentionQueries] })
export class BuildRetentionModule {}
