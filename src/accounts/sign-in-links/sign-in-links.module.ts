import { Module } from '@nestjs/common';
import { AccountMailsModule } from '../account-mails/account-mails.module.js';
import { EmailVerificationModule } from '../email-verification/email-verification.module.js';
import { PasswordPageModule } from '../passwords/password-page.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UsersModule } from '../users/users.module.js';
import { SignInLinksController } from './sign-in-links.controller.js';
import { SignInLinksQueries } from './sign-in-links.queries.js';
import { SignInLinksService } from './sign-in-links.service.js';

/** Links with which users set their first password, or a new one. */
@Module({
  imports: [
    AccountMailsModule,
    EmailVerificationModule,
    PasswordPageModule,
    PasswordsModule,
    SignInModule,
    UsersModule,
  ],
  controllers: [SignInLinksController],
  providers: [SignInLinksService, SignInLinksQueries],
  exports: [SignInLinksService],
})
export class SignInLinksModule {}
