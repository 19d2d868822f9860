import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembersModule } from '../members/members.module.js';
import { TeamApp } from './team-app.entity.js';
import { TeamAppsController } from './team-apps.controller.js';
import { TeamAppsQueries } from './team-apps.queries.js';
import { TeamAppsService } from './team-apps.service.js';
import { TeamMember } from './team-member.entity.js';
import { TeamMembersController } from './team-members.controller.js';
import { TeamMembersService } from './team-members.service.js';
import { Team } from './team.entity.js';
import { TeamsController } from './teams.controller.js';
import { TeamsQueries } from './teams.queries.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Team, TeamApp, TeamMember]), MembersModule],
  controllers: [TeamsController, TeamAppsController, TeamMembersController],
  providers: [TeamsService, TeamsQueries, TeamAppsService, TeamAppsQueries, TeamMembersService],
  exports: [TeamAppsQueries],
})
export class TeamsModule {}
