import { Global, Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { Visitors } from '../../pages/requests/visitors.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsersModule } from '../users/users.module.js';
import { BearerStrategy } from './bearer.strategy.js';
import { SessionVisitors } from './session-visitors.service.js';

/** Who is calling, and who is visiting. Global, because the guard of every page asks for `Visitors`. */
@Global()
@Module({
  imports: [PassportModule, TokensModule, SessionsModule, UsersModule],
  providers: [BearerStrategy, { provide: Visitors, useClass: SessionVisitors }],
  exports: [Visitors],
})
export class AuthModule {}
