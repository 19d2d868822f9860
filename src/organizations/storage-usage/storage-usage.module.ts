import { Module } from '@nestjs/common';
import { StorageQuotasModule } from '../../storage/quotas/storage-quotas.module.js';
import { StorageUsageController } from './storage-usage.controller.js';

@Module({ imports: [StorageQuotasModule], controllers: [StorageUsageController] })
export class StorageUsageModule {}
