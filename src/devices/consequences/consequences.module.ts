import { Global, Module } from '@nestjs/common';
import { Consequences } from '../../common/warnings/consequences.js';
import { DevicesModule } from '../devices/devices.module.js';
import { ReleasesModule } from '../releases/releases.module.js';
import { ConsequencesQueries } from './consequences.queries.js';
import { ConsequencesService } from './consequences.service.js';
import { ForceWarningsController } from './force-warnings.controller.js';
import { ForceWarningsService } from './force-warnings.service.js';

/** Global because it provides a port to builds, bundles, deployments and channels, which may not import this area. */
@Global()
@Module({
  imports: [ReleasesModule, DevicesModule],
  controllers: [ForceWarningsController],
  providers: [
    ConsequencesQueries,
    ConsequencesService,
    ForceWarningsService,
    { provide: Consequences, useExisting: ConsequencesService },
  ],
  exports: [Consequences],
})
export class ConsequencesModule {}
