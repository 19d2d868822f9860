import { Module } from '@nestjs/common';
import { TokensModule } from '../../accounts/tokens/tokens.module.js';
import { ExpiringTokens } from './expiring-tokens.task.js';
import { TokenEventsQueries } from './token-events.queries.js';
import { TokenEvents } from './token-events.service.js';

@Module({ imports: [TokensModule], providers: [TokenEventsQueries, TokenEvents, ExpiringTokens] })
export class TokenEventsModule {}
