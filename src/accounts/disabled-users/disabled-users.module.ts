import { Module } from '@nestjs/common';
import { SessionCodesModule } from '../session-codes/session-codes.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInLinksModule } from '../sign-in-links/sign-in-links.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsersModule } from '../users/users.module.js';
import { DisabledUsers } from './disabled-users.service.js';

@Module({
  imports: [SessionCodesModule, SessionsModule, SignInLinksModule, TokensModule, UsersModule],
  providers: [DisabledUsers],
  exports: [DisabledUsers],
})
export class DisabledUsersModule {}
