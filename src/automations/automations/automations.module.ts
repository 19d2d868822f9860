import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TokensModule } from '../../accounts/tokens/tokens.module.js';
import { DestinationsModule } from '../../app-submissions/destinations/destinations.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { RepositoryModule } from '../../apps/repository/repository.module.js';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { CertificatesModule } from '../../native-builds/certificates/certificates.module.js';
import { ConfigurationsModule } from '../../native-builds/configurations/configurations.module.js';
import { EnvironmentsModule } from '../../native-builds/environments/environments.module.js';
import { AutomationSettings } from './automation-settings.service.js';
import { AutomationStops } from './automation-stops.service.js';
import { Automation } from './automation.entity.js';
import { AutomationsController } from './automations.controller.js';
import { AutomationsService } from './automations.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Automation]),
    AppAccessModule,
    BuildsModule,
    CertificatesModule,
    ConfigurationsModule,
    DestinationsModule,
    EnvironmentsModule,
    RepositoryModule,
    TokensModule,
  ],
  controllers: [AutomationsController],
  providers: [AutomationsService, AutomationSettings, AutomationStops],
  exports: [AutomationsService, AutomationStops],
})
export class AutomationsModule {}
