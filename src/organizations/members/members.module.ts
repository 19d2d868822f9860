import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DisabledUsersModule } from '../../accounts/disabled-users/disabled-users.module.js';
import { GroupSignInsModule } from '../../accounts/oidc/group-sign-ins.module.js';
import { GroupMembershipsService } from './group-memberships.service.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { Member } from './member.entity.js';
import { MembersController } from './members.controller.js';
import { MembersPresenter } from './members.presenter.js';
import { MembersQueries } from './members.queries.js';
import { MembersService } from './members.service.js';
import { UserAccess } from './user-access.service.js';
import { UserListQueries } from './user-list.queries.js';
import { MembershipController } from './membership.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([Member]), DisabledUsersModule, GroupSignInsModule, UsersModule],
  controllers: [MembersController, MembershipController],
  providers: [
    MembersService,
    MembersPresenter,
    MembersQueries,
    GroupMembershipsService,
    UserAccess,
    UserListQueries,
  ],
  exports: [MembersService, UserAccess, UserListQueries],
})
export class MembersModule {}
