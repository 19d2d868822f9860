import { Module } from '@nestjs/common';
import { BuildRetentionService } from './build-retention.service.js';

@Module({ providers: [BuildRetentionService] })
export class BuildRetentionModule {}
