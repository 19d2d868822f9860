import { Module } from '@nestjs/common';
import { DeviceRetentionQueries } from './device-retention.queries.js';
import { DeviceRetentionService } from './device-retention.service.js';

@Module({ providers: [DeviceRetentionService, DeviceRetentionQueries] })
export class DeviceRetentionModule {}
