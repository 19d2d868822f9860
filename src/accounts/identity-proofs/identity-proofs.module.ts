import { Module } from '@nestjs/common';
import { PasswordPageModule } from '../passwords/password-page.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TwoFactorPageModule } from '../two-factor/two-factor-page.module.js';
import { UsersModule } from '../users/users.module.js';
import { ConfirmController } from './confirm.controller.js';
import { IdentityProofs } from './identity-proofs.service.js';

/** Asks signed-in visitors, and those who link an account, for their password or second factor. */
@Module({
  imports: [PasswordPageModule, PasswordsModule, SessionsModule, TwoFactorPageModule, UsersModule],
  controllers: [ConfirmController],
  providers: [IdentityProofs],
  exports: [IdentityProofs],
})
export class IdentityProofsModule {}
