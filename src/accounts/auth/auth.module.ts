import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { BearerStrategy } from './bearer.strategy.js';

@Module({
  imports: [PassportModule, TokensModule, SessionsModule],
  providers: [BearerStrategy],
})
export class AuthModule {}
