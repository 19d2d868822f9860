import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { Config } from '../../config/config.js';
import { UsersModule } from '../users/users.module.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { TwoFactor } from './two-factor.entity.js';
import { TwoFactorService } from './two-factor.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([TwoFactor, RecoveryCode]), UsersModule],
  providers: [
    TwoFactorService,
    {
      provide: SecretBox,
      inject: [Config],
      useFactory: ({ security }: Config) => new SecretBox([security.encryptionKey ?? '']),
    },
  ],
  exports: [TwoFactorService, SecretBox],
})
export class TwoFactorModule {}
