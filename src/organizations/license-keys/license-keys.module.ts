import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LicenseKeyPackage } from './license-key-package.entity.js';
import { LicenseKey } from './license-key.entity.js';
import { LicenseKeysController } from './license-keys.controller.js';
import { LicenseKeysQueries } from './license-keys.queries.js';
import { LicenseKeysService } from './license-keys.service.js';
import { LicensePackages } from './license-packages.js';

@Module({
  imports: [TypeOrmModule.forFeature([LicenseKey, LicenseKeyPackage])],
  controllers: [LicenseKeysController],
  providers: [LicenseKeysService, LicenseKeysQueries, LicensePackages],
})
export class LicenseKeysModule {}
