import { Module } from '@nestjs/common';
import { StorageQuotasModule } from '../../storage/quotas/storage-quotas.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { StorageQuotaWatch } from './storage-quota-watch.task.js';
import { StorageUsageController } from './storage-usage.controller.js';

@Module({
  imports: [OrganizationsModule, StorageQuotasModule],
  controllers: [StorageUsageController],
  providers: [StorageQuotaWatch],
})
export class StorageUsageModule {}
