import { Module } from '@nestjs/common';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionCodesModule } from '../session-codes/session-codes.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { TwoFactorModule } from '../two-factor/two-factor.module.js';
import { UsersModule } from '../users/users.module.js';
import { EmailVerification } from './email-verification.service.js';

/** What happens when a user proves the e-mail address for the first time. */
@Module({
  imports: [PasswordsModule, SessionCodesModule, SessionsModule, TokensModule, TwoFactorModule, UsersModule],
  providers: [EmailVerification],
  exports: [EmailVerification],
})
export class EmailVerificationModule {}
