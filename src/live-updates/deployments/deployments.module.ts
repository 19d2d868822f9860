import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentsQueries } from './deployments.queries.js';
import { DeploymentsService } from './deployments.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Deployment]), BuildsModule, ChannelsModule],
  controllers: [DeploymentsController],
  providers: [DeploymentsService, DeploymentsQueries],
  exports: [DeploymentsService],
})
export class DeploymentsModule {}
