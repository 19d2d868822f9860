import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { MembersModule } from '../members/members.module.js';
import { InvitationCount } from './invitation-count.entity.js';
import { InvitationLink } from './invitation-link.entity.js';
import { InvitationLinksService } from './invitation-links.service.js';
import { InvitationMailsService } from './invitation-mails.service.js';
import { Invitation } from './invitation.entity.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsQueries } from './invitations.queries.js';
import { InvitationsService } from './invitations.service.js';
import { ReceivedInvitationsController } from './received-invitations.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Invitation, InvitationCount, InvitationLink]),
    MembersModule,
    UsersModule,
  ],
  controllers: [InvitationsController, ReceivedInvitationsController],
  providers: [InvitationsService, InvitationLinksService, InvitationMailsService, InvitationsQueries],
  exports: [InvitationsService, InvitationLinksService],
})
export class InvitationsModule {}
