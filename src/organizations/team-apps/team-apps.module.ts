import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Team } from '../teams/team.entity.js';
import { TeamApp } from './team-app.entity.js';
import { TeamAppsController } from './team-apps.controller.js';
import { TeamAppsPresenter } from './team-apps.presenter.js';
import { TeamAppsQueries } from './team-apps.queries.js';
import { TeamAppsService } from './team-apps.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([TeamApp, Team])],
  controllers: [TeamAppsController],
  providers: [TeamAppsService, TeamAppsPresenter, TeamAppsQueries],
  exports: [TeamAppsService, TeamAppsPresenter, TeamAppsQueries],
})
export class TeamAppsModule {}
