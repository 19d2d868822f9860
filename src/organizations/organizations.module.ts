import { Module } from '@nestjs/common';
import { InvitationsModule } from './invitations/invitations.module.js';
import { MembersModule } from './members/members.module.js';
import { OrganizationAccessModule } from './organization-access/organization-access.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';

@Module({ imports: [OrganizationsModule, MembersModule, InvitationsModule, OrganizationAccessModule] })
export class OrganizationsAreaModule {}
