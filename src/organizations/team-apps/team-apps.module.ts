import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TeamsModule } from '../teams/teams.module.js';
import { TeamApp } from './team-app.entity.js';
import { TeamAppsController } from './team-apps.controller.js';
import { TeamAppsQueries } from './team-apps.queries.js';
import { TeamAppsService } from './team-apps.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([TeamApp]), TeamsModule],
  controllers: [TeamAppsController],
  providers: [TeamAppsService, TeamAppsQueries],
  exports: [TeamAppsQueries],
})
export class TeamAppsModule {}
