import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { MembersModule } from '../members/members.module.js';
import { Invitation } from './invitation.entity.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsQueries } from './invitations.queries.js';
import { InvitationsService } from './invitations.service.js';
import { ReceivedInvitationsController } from './received-invitations.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([Invitation]), MembersModule, UsersModule],
  controllers: [InvitationsController, ReceivedInvitationsController],
  providers: [InvitationsService, InvitationsQueries],
  exports: [InvitationsService],
})
export class InvitationsModule {}
