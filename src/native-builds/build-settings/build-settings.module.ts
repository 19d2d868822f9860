import { Module } from '@nestjs/common';
import { ActivitiesModule } from '../../organizations/activities/activities.module.js';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { ConfigurationsModule } from '../configurations/configurations.module.js';
import { EnvironmentValuesModule } from '../environment-values/environment-values.module.js';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { UseRestrictionsModule } from '../use-restrictions/use-restrictions.module.js';
import { BuildSettingsService } from './build-settings.service.js';

@Module({
  imports: [
    EnvironmentsModule,
    EnvironmentValuesModule,
    CertificatesModule,
    ConfigurationsModule,
    UseRestrictionsModule,
    ActivitiesModule,
  ],
  providers: [BuildSettingsService],
  exports: [BuildSettingsService],
})
export class BuildSettingsModule {}
