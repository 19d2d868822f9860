import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomIdHashing } from '../../apps/apps/custom-id-hashing.js';
import { ChannelsModule } from '../../live-updates/channels/channels.module.js';
import { ActivitiesModule } from '../../organizations/activities/activities.module.js';
import { CheckInsModule } from '../check-ins/check-ins.module.js';
import { RollbacksModule } from '../rollbacks/rollbacks.module.js';
import { CustomIdHashingService } from './custom-id-hashing.service.js';
import { Device } from './device.entity.js';
import { DeviceRetentionQueries } from './device-retention.queries.js';
import { DeviceRetentionService } from './device-retention.service.js';
import { DevicesController } from './devices.controller.js';
import { DevicesPresenter } from './devices.presenter.js';
import { DevicesService } from './devices.service.js';

/** Global because it provides what apps, which live upstream and may not import it, ask of devices. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Device]),
    ActivitiesModule,
    ChannelsModule,
    CheckInsModule,
    RollbacksModule,
  ],
  controllers: [DevicesController],
  providers: [
    DevicesService,
    DevicesPresenter,
    DeviceRetentionService,
    DeviceRetentionQueries,
    { provide: CustomIdHashing, useClass: CustomIdHashingService },
  ],
  exports: [DevicesService, CustomIdHashing],
})
export class DevicesModule {}
