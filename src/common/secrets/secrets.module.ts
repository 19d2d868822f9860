import { Global, Module } from '@nestjs/common';
import { Config, decryptionKeysOf } from '../../config/config.js';
import { SecretBox } from './secret-box.js';

/** Makes `SecretBox` injectable everywhere, with the keys of the installation. */
@Global()
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [Config],
      useFactory: (config: Config) => new SecretBox(decryptionKeysOf(config)),
    },
  ],
  exports: [SecretBox],
})
export class SecretsModule {}
