import { Module } from '@nestjs/common';
import { OrganizationAccessModule } from '../../organizations/organization-access/organization-access.module.js';
import { AppAccessService } from './app-access.service.js';

@Module({
  imports: [OrganizationAccessModule],
  providers: [AppAccessService],
  exports: [AppAccessService, OrganizationAccessModule],
})
export class AppAccessModule {}
