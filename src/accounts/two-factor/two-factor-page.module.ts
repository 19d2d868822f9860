import { Module } from '@nestjs/common';
import { AccountMailsModule } from '../account-mails/account-mails.module.js';
import { PasswordPageModule } from '../passwords/password-page.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInAttemptsModule } from '../sign-in-attempts/sign-in-attempts.module.js';
import { UsersModule } from '../users/users.module.js';
import { SecondFactorProofs } from './second-factor-proofs.service.js';
import { TwoFactorPageController } from './two-factor-page.controller.js';
import { TwoFactorModule } from './two-factor.module.js';

/** The page of two-factor authentication, and the check of second factors at a sign-in. */
@Module({
  imports: [
    AccountMailsModule,
    PasswordPageModule,
    SessionsModule,
    SignInAttemptsModule,
    TwoFactorModule,
    UsersModule,
  ],
  controllers: [TwoFactorPageController],
  providers: [SecondFactorProofs],
  exports: [SecondFactorProofs],
})
export class TwoFactorPageModule {}
