import { Module } from '@nestjs/common';
import { TokensModule } from '../accounts/tokens/tokens.module.js';
import { DisabledUsersModule } from '../accounts/disabled-users/disabled-users.module.js';
import { UsersModule } from '../accounts/users/users.module.js';
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
import { ExpiringTokens } from './token-events/expiring-tokens.task.js';
import { TokenEventsQueries } from './token-events/token-events.queries.js';
import { TokenEvents } from './token-events/token-events.service.js';
import { UserAccess } from './user-access/user-access.service.js';
import { UserListQueries } from './user-access/user-list.queries.js';

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
    TokensModule,
    DisabledUsersModule,
    UsersModule,
  ],
  providers: [TokenEventsQueries, TokenEvents, ExpiringTokens, UserAccess, UserListQueries],
  exports: [UserAccess, UserListQueries],
})
export class OrganizationsAreaModule {}
