import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';
import { UnconfirmedAnswer } from './unconfirmed-answer.entity.js';
import { UnconfirmedAnswersService } from './unconfirmed-answers.service.js';

/** Writes: one transaction each, safe to repeat. Global because the interceptor that needs this is. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey, UnconfirmedAnswer])],
  providers: [IdempotencyKeysService, UnconfirmedAnswersService],
  exports: [IdempotencyKeysService, UnconfirmedAnswersService],
})
export class WritesModule {}
