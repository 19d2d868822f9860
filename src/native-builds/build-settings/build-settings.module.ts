import { Module } from '@nestjs/common';
import { ActivitiesModule } from '../../organizations/activities/activities.module.js';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { ConfigurationsModule } from '../configurations/configurations.module.js';
import { EnvironmentValuesModule } from '../environment-values/environment-values.module.js';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { ProvisioningProfilesModule } from '../provisioning-profiles/provisioning-profiles.module.js';
import { UseRestrictionsModule } from '../use-restrictions/use-restrictions.module.js';
import { BuildCertificates } from './build-certificates.service.js';
import { BuildSettingsService } from './build-settings.service.js';

@Module({
  imports: [
    EnvironmentsModule,
    EnvironmentValuesModule,
    CertificatesModule,
    ProvisioningProfilesModule,
    ConfigurationsModule,
    UseRestrictionsModule,
    ActivitiesModule,
  ],
  providers: [BuildSettingsService, BuildCertificates],
  exports: [BuildSettingsService],
})
export class BuildSettingsModule {}
