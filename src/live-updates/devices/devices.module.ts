import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomIdHashing } from '../../apps/apps/custom-id-hashing.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { UpdateCheckModule } from '../update-check/update-check.module.js';
import { CustomIdHashingService } from './custom-id-hashing.service.js';
import { Device } from './device.entity.js';
import { DeviceRetentionService } from './device-retention.service.js';
import { DevicesController } from './devices.controller.js';
import { DevicesQueries } from './devices.queries.js';
import { DevicesService } from './devices.service.js';

/** Global because it provides what apps, which live upstream and may not import it, ask of devices. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Device]), ChannelsModule, UpdateCheckModule],
  controllers: [DevicesController],
  providers: [
    DevicesService,
    DevicesQueries,
    DeviceRetentionService,
    { provide: CustomIdHashing, useClass: CustomIdHashingService },
  ],
  exports: [DevicesService, CustomIdHashing],
})
export class DevicesModule {}
