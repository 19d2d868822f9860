import { Module } from '@nestjs/common';
import { AccountMailsModule } from '../../accounts/account-mails/account-mails.module.js';
import { PasswordPageModule } from '../../accounts/passwords/password-page.module.js';
import { PasswordsModule } from '../../accounts/passwords/passwords.module.js';
import { SignInModule } from '../../accounts/sign-in/sign-in.module.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { InvitationsPageController } from './invitations-page.controller.js';
import { JoinPageController } from './join-page.controller.js';
import { JoiningService } from './joining.service.js';

/** The pages on which people accept invitations: with an account at `/settings/invitations`, and with a link. */
@Module({
  imports: [
    AccountMailsModule,
    InvitationsModule,
    PasswordPageModule,
    PasswordsModule,
    SignInModule,
    UsersModule,
  ],
  controllers: [InvitationsPageController, JoinPageController],
  providers: [JoiningService],
})
export class InvitationPagesModule {}
