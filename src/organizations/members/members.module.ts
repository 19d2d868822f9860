import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupMemberships } from '../../accounts/oidc/group-memberships.js';
import { GroupMembershipsService } from './group-memberships.service.js';
import { Member } from './member.entity.js';
import { MembersController } from './members.controller.js';
import { MembersQueries } from './members.queries.js';
import { MembersService } from './members.service.js';
import { MembershipController } from './membership.controller.js';

/** Global because it provides what a sign-in, which lives upstream and may not import it, asks of organizations. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Member])],
  controllers: [MembersController, MembershipController],
  providers: [
    MembersService,
    MembersQueries,
    { provide: GroupMemberships, useClass: GroupMembershipsService },
  ],
  exports: [MembersService, GroupMemberships],
})
export class MembersModule {}
