import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupSignInsModule } from '../../accounts/oidc/group-sign-ins.module.js';
import { GroupMembershipsService } from './group-memberships.service.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { MemberEvents } from './member-events.service.js';
import { Member } from './member.entity.js';
import { MembersController } from './members.controller.js';
import { MembersPresenter } from './members.presenter.js';
import { MembersQueries } from './members.queries.js';
import { MembersService } from './members.service.js';
import { MembershipController } from './membership.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([Member]), GroupSignInsModule, UsersModule],
  controllers: [MembersController, MembershipController],
  providers: [MembersService, MembersPresenter, MembersQueries, MemberEvents, GroupMembershipsService],
  exports: [MembersService, MembersQueries],
})
export class MembersModule {}
