import { Module } from '@nestjs/common';
import { Config, decryptionKeysOf } from '../../config/config.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { LeaseTokens } from './lease-token.js';

@Module({
  imports: [JobsModule],
  providers: [
    {
      provide: LeaseTokens,
      inject: [Config],
      useFactory: (config: Config) => new LeaseTokens(decryptionKeysOf(config)),
    },
  ],
  exports: [LeaseTokens],
})
export class JobLeasesModule {}
