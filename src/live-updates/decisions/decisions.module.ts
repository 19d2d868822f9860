import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.js';
import { UpdateCheckModule } from '../update-check/update-check.module.js';
import { DecisionsController } from './decisions.controller.js';
import { DecisionsQueries } from './decisions.queries.js';
import { DecisionsService } from './decisions.service.js';

@Module({
  imports: [DevicesModule, UpdateCheckModule],
  controllers: [DecisionsController],
  providers: [DecisionsService, DecisionsQueries],
})
export class DecisionsModule {}
