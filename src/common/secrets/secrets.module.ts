import { Global, Module } from '@nestjs/common';
import { Config, encryptionKeyOf } from '../../config/config.js';
import { SecretBox } from './secret-box.js';

/** Makes `SecretBox` injectable everywhere, with the key of the installation. */
@Global()
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [Config],
      useFactory: (config: Config) => new SecretBox([encryptionKeyOf(config)]),
    },
  ],
  exports: [SecretBox],
})
export class SecretsModule {}
