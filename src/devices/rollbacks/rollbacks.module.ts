import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BundlesModule } from '../../live-updates/bundles/bundles.module.js';
import { DeviceRollback } from './device-rollback.entity.js';
import { RollbacksController } from './rollbacks.controller.js';
import { RollbacksQueries } from './rollbacks.queries.js';
import { RollbacksService } from './rollbacks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([DeviceRollback]), BundlesModule],
  controllers: [RollbacksController],
  providers: [RollbacksService, RollbacksQueries],
  exports: [RollbacksService],
})
export class RollbacksModule {}
