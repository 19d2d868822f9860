import { Module } from '@nestjs/common';
import { UploadsModule } from '../../storage/uploads/uploads.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { StorageQuotaWatch } from './storage-quota-watch.task.js';
import { StorageUsageController } from './storage-usage.controller.js';

@Module({
  imports: [OrganizationsModule, UploadsModule],
  controllers: [StorageUsageController],
  providers: [StorageQuotaWatch],
})
export class StorageUsageModule {}
