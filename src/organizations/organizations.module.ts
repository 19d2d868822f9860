import { Module } from '@nestjs/common';
import { MembersModule } from './members/members.module.js';
import { OrganizationAccessModule } from './organization-access/organization-access.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';

@Module({ imports: [OrganizationsModule, MembersModule, OrganizationAccessModule] })
export class OrganizationsAreaModule {}
