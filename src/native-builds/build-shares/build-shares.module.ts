import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { BuildShare } from './build-share.entity.js';
import { BuildSharesController } from './build-shares.controller.js';
import { BuildSharesService } from './build-shares.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([BuildShare]), AppAccessModule, BuildsModule],
  controllers: [BuildSharesController],
  providers: [BuildSharesService],
  exports: [BuildSharesService],
})
export class BuildSharesModule {}
