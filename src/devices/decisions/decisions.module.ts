import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.js';
import { ReleasesModule } from '../releases/releases.module.js';
import { DecisionsController } from './decisions.controller.js';
import { DecisionsQueries } from './decisions.queries.js';
import { DecisionsService } from './decisions.service.js';

@Module({
  imports: [DevicesModule, ReleasesModule],
  controllers: [DecisionsController],
  providers: [DecisionsService, DecisionsQueries],
})
export class DecisionsModule {}
