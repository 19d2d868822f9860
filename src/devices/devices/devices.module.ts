import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { ChannelsModule } from '../../live-updates/channels/channels.module.js';
import { ActivitiesModule } from '../../organizations/activities/activities.module.js';
import { CheckInsModule } from '../check-ins/check-ins.module.js';
import { RollbacksModule } from '../rollbacks/rollbacks.module.js';
import { CustomIdHashingQueries } from './custom-id-hashing.queries.js';
import { CustomIdHashingService } from './custom-id-hashing.service.js';
import { Device } from './device.entity.js';
import { DevicesController } from './devices.controller.js';
import { DevicesQueries } from './devices.queries.js';
import { DevicesPresenter } from './devices.presenter.js';
import { DevicesService } from './devices.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Device]),
    ActivitiesModule,
    AppsModule,
    ChannelsModule,
    CheckInsModule,
    RollbacksModule,
  ],
  controllers: [DevicesController],
  providers: [
    DevicesService,
    DevicesPresenter,
    DevicesQueries,
    CustomIdHashingQueries,
    CustomIdHashingService,
  ],
  exports: [DevicesService],
})
export class DevicesModule {}
