import { Module } from '@nestjs/common';
import { AccountMailsModule } from '../account-mails/account-mails.module.js';
import { PasswordPageModule } from '../passwords/password-page.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInAttemptsModule } from '../sign-in-attempts/sign-in-attempts.module.js';
import { TwoFactorPageModule } from '../two-factor/two-factor-page.module.js';
import { UsersModule } from '../users/users.module.js';
import { LoginController } from './login.controller.js';
import { LogoutController } from './logout.controller.js';
import { SecondFactorChallenges } from './second-factor-challenges.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [
    AccountMailsModule,
    PasswordPageModule,
    PasswordsModule,
    SessionsModule,
    SignInAttemptsModule,
    TwoFactorPageModule,
    UsersModule,
  ],
  controllers: [LoginController, LogoutController],
  providers: [SecondFactorChallenges, SignInService],
  exports: [SignInService],
})
export class SignInModule {}
