import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StoredResponse } from './stored-response.entity.js';
import { StoredResponsesService } from './stored-responses.service.js';

/** Writes are one transaction each and safe to repeat. Global because `WriteInterceptor` is. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([StoredResponse])],
  providers: [StoredResponsesService],
  exports: [StoredResponsesService],
})
export class IdempotencyModule {}
