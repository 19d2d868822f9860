import { Module } from '@nestjs/common';
import { AccountMailsModule } from '../account-mails/account-mails.module.js';
import { SignInAttemptsModule } from '../sign-in-attempts/sign-in-attempts.module.js';
import { UsersModule } from '../users/users.module.js';
import { PasswordPageController } from './password-page.controller.js';
import { PasswordProofs } from './password-proofs.service.js';
import { PasswordsModule } from './passwords.module.js';
import { SignInMethods } from './sign-in-methods.js';

/** The page of the password, and what other pages ask about passwords. */
@Module({
  imports: [AccountMailsModule, PasswordsModule, SignInAttemptsModule, UsersModule],
  controllers: [PasswordPageController],
  providers: [PasswordProofs, SignInMethods],
  exports: [PasswordProofs, SignInMethods],
})
export class PasswordPageModule {}
