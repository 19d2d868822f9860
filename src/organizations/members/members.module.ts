import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupMemberships } from '../../accounts/oidc/group-memberships.js';
import { GroupMembershipsService } from './group-memberships.service.js';
import { User } from '../../accounts/users/user.entity.js';
import { Member } from './member.entity.js';
import { MembersController } from './members.controller.js';
import { MembersPresenter } from './members.presenter.js';
import { MembersQueries } from './members.queries.js';
import { MembersService } from './members.service.js';
import { MembershipController } from './membership.controller.js';

/** Global because it provides `GroupMemberships` to sign-in, which may not import organizations. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Member, User])],
  controllers: [MembersController, MembershipController],
  providers: [
    MembersService,
    MembersPresenter,
    MembersQueries,
    { provide: GroupMemberships, useClass: GroupMembershipsService },
  ],
  exports: [MembersService, GroupMemberships],
})
export class MembersModule {}
