import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { MembersModule } from '../members/members.module.js';
import { InvitationMailsService } from './invitation-mails.service.js';
import { Invitation } from './invitation.entity.js';
import { InvitationsPageController } from './invitations-page.controller.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsQueries } from './invitations.queries.js';
import { InvitationsService } from './invitations.service.js';
import { ReceivedInvitationsController } from './received-invitations.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([Invitation]), MembersModule, UsersModule],
  controllers: [InvitationsController, ReceivedInvitationsController, InvitationsPageController],
  providers: [InvitationsService, InvitationMailsService, InvitationsQueries],
  exports: [InvitationsService],
})
export class InvitationsModule {}
