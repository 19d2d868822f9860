import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { Config } from '../../config/config.js';
import { LicenseKeyPackage } from './license-key-package.entity.js';
import { LicenseKey } from './license-key.entity.js';
import { LicenseKeysController } from './license-keys.controller.js';
import { LicenseKeysQueries } from './license-keys.queries.js';
import { LicenseKeysService } from './license-keys.service.js';
import { LicensePackages } from './license-packages.js';

@Module({
  imports: [TypeOrmModule.forFeature([LicenseKey, LicenseKeyPackage])],
  controllers: [LicenseKeysController],
  providers: [
    LicenseKeysService,
    LicenseKeysQueries,
    LicensePackages,
    {
      provide: SecretBox,
      inject: [Config],
      useFactory: ({ security }: Config) => new SecretBox([security.encryptionKey ?? '']),
    },
  ],
})
export class LicenseKeysModule {}
