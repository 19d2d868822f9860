import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Bundle } from '../../live-updates/bundles/bundle.entity.js';
import { Device } from '../devices/device.entity.js';
import { DeviceRollback } from './device-rollback.entity.js';
import { RollbacksController } from './rollbacks.controller.js';
import { RollbacksService } from './rollbacks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([DeviceRollback, Device, Bundle])],
  controllers: [RollbacksController],
  providers: [RollbacksService],
  exports: [RollbacksService],
})
export class RollbacksModule {}
