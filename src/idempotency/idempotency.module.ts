import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config, decryptionKeysOf } from '../config/config.js';
import { BodyHasher } from './body-hasher.js';
import { StoredResponse } from './stored-response.entity.js';
import { StoredResponsesQueries } from './stored-responses.queries.js';
import { StoredResponsesService } from './stored-responses.service.js';

/** Writes are one transaction each and safe to repeat. */
@Module({
  imports: [TypeOrmModule.forFeature([StoredResponse])],
  providers: [
    StoredResponsesService,
    StoredResponsesQueries,
    {
      provide: BodyHasher,
      inject: [Config],
      useFactory: (config: Config) => new BodyHasher(decryptionKeysOf(config)),
    },
  ],
  exports: [StoredResponsesService, BodyHasher],
})
export class IdempotencyModule {}
