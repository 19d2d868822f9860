import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';
import { UnconfirmedResponse } from './unconfirmed-response.entity.js';
import { UnconfirmedResponsesService } from './unconfirmed-responses.service.js';

/** Writes: one transaction each, safe to repeat. Global because the interceptor that needs this is. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey, UnconfirmedResponse])],
  providers: [IdempotencyKeysService, UnconfirmedResponsesService],
  exports: [IdempotencyKeysService, UnconfirmedResponsesService],
})
export class IdempotencyModule {}
