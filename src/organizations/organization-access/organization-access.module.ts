import { Module } from '@nestjs/common';
import { MembersModule } from '../members/members.module.js';
import { OrganizationAccessService } from './organization-access.service.js';

@Module({
  imports: [MembersModule],
  providers: [OrganizationAccessService],
  exports: [OrganizationAccessService],
})
export class OrganizationAccessModule {}
