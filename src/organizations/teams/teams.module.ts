import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TeamAppsModule } from '../team-apps/team-apps.module.js';
import { TeamMembersModule } from '../team-members/team-members.module.js';
import { Team } from './team.entity.js';
import { TeamsController } from './teams.controller.js';
import { TeamsPresenter } from './teams.presenter.js';
import { TeamsQueries } from './teams.queries.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Team]), TeamAppsModule, TeamMembersModule],
  controllers: [TeamsController],
  providers: [TeamsService, TeamsPresenter, TeamsQueries],
})
export class TeamsModule {}
