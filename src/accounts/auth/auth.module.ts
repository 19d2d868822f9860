import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TokensModule } from '../tokens/tokens.module.js';
import { BearerStrategy } from './bearer.strategy.js';

@Module({
  imports: [PassportModule, TokensModule],
  providers: [BearerStrategy],
})
export class AuthModule {}
