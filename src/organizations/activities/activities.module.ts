import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivitiesQueries } from './activities.queries.js';
import { ActivitiesService } from './activities.service.js';
import { Activity } from './activity.entity.js';
import { RefusalsService } from './refusals.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Activity])],
  providers: [ActivitiesService, ActivitiesQueries, RefusalsService],
  exports: [ActivitiesService, RefusalsService],
})
export class ActivitiesModule {}
