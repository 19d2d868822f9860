import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { StoreKeysModule } from '../store-keys/store-keys.module.js';
import { DestinationGovernanceService } from './destination-governance.service.js';
import { Destination } from './destination.entity.js';
import { DestinationsController } from './destinations.controller.js';
import { DestinationsService } from './destinations.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Destination]), AppAccessModule, StoreKeysModule],
  controllers: [DestinationsController],
  providers: [DestinationsService, DestinationGovernanceService],
  exports: [DestinationsService],
})
export class DestinationsModule {}
