import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivitiesModule } from '../activities/activities.module.js';
import { LicenseKeyPackage } from './license-key-package.entity.js';
import { LicenseKey } from './license-key.entity.js';
import { LicenseKeysController } from './license-keys.controller.js';
import { LicenseKeysPresenter } from './license-keys.presenter.js';
import { LicenseKeysService } from './license-keys.service.js';
import { LicensePackages } from './license-packages.js';

@Module({
  imports: [TypeOrmModule.forFeature([LicenseKey, LicenseKeyPackage]), ActivitiesModule],
  controllers: [LicenseKeysController],
  providers: [LicenseKeysService, LicenseKeysPresenter, LicensePackages],
})
export class LicenseKeysModule {}
