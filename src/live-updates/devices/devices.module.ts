import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChannelsModule } from '../channels/channels.module.js';
import { Device } from './device.entity.js';
import { DevicesController } from './devices.controller.js';
import { DevicesQueries } from './devices.queries.js';
import { DevicesService } from './devices.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Device]), ChannelsModule],
  controllers: [DevicesController],
  providers: [DevicesService, DevicesQueries],
})
export class DevicesModule {}
