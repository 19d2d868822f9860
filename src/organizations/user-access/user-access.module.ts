import { Module } from '@nestjs/common';
import { DisabledUsersModule } from '../../accounts/disabled-users/disabled-users.module.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { MembersModule } from '../members/members.module.js';
import { UserAccess } from './user-access.service.js';
import { UserListQueries } from './user-list.queries.js';

/** What the operator does with users, and that concerns their organizations. */
@Module({
  imports: [DisabledUsersModule, MembersModule, UsersModule],
  providers: [UserAccess, UserListQueries],
  exports: [UserAccess, UserListQueries],
})
export class UserAccessModule {}
