import { Global, Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { Visitors } from '../../pages/requests/visitors.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsersModule } from '../users/users.module.js';
import { BearerStrategy } from './bearer.strategy.js';
import { PageSessions } from './page-sessions.service.js';
import { SessionVisitors } from './session-visitors.service.js';
import { WaitingCallers } from './waiting-callers.service.js';

/** Who is calling, and who is visiting. Global, because the guards of every route and every page ask for it. */
@Global()
@Module({
  imports: [PassportModule, TokensModule, SessionsModule, UsersModule],
  providers: [BearerStrategy, PageSessions, WaitingCallers, { provide: Visitors, useClass: SessionVisitors }],
  exports: [PageSessions, Visitors, WaitingCallers],
})
export class AuthModule {}
