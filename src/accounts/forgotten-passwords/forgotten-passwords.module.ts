import { Module } from '@nestjs/common';
import { PasswordPageModule } from '../passwords/password-page.module.js';
import { SignInAttemptsModule } from '../sign-in-attempts/sign-in-attempts.module.js';
import { SignInLinksModule } from '../sign-in-links/sign-in-links.module.js';
import { UsersModule } from '../users/users.module.js';
import { ForgotController } from './forgot.controller.js';
import { NewPasswordMails } from './new-password-mails.service.js';

/** A new password for users who forgot theirs, by a link in a mail. */
@Module({
  imports: [PasswordPageModule, SignInAttemptsModule, SignInLinksModule, UsersModule],
  controllers: [ForgotController],
  providers: [NewPasswordMails],
})
export class ForgottenPasswordsModule {}
