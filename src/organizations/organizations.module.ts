import { Module } from '@nestjs/common';
import { ActivitiesModule } from './activities/activities.module.js';
import { AuditLogModule } from './audit-log/audit-log.module.js';
import { GitConnectionsModule } from './git-connections/git-connections.module.js';
import { InvitationPagesModule } from './invitation-pages/invitation-pages.module.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { LicenseKeysModule } from './license-keys/license-keys.module.js';
import { MembersModule } from './members/members.module.js';
import { OrganizationAccessModule } from './organization-access/organization-access.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { StorageUsageModule } from './storage-usage/storage-usage.module.js';
import { TeamAssignmentsModule } from './team-assignments/team-assignments.module.js';
import { TeamsModule } from './teams/teams.module.js';
import { TokenEventsModule } from './token-events/token-events.module.js';
import { UserAccessModule } from './user-access/user-access.module.js';

@Module({
  imports: [
    ActivitiesModule,
    OrganizationsModule,
    MembersModule,
    InvitationsModule,
    InvitationPagesModule,
    TeamsModule,
    TeamAssignmentsModule,
    LicenseKeysModule,
    GitConnectionsModule,
    AuditLogModule,
    OrganizationAccessModule,
    StorageUsageModule,
    TokenEventsModule,
    UserAccessModule,
  ],
})
export class OrganizationsAreaModule {}
