import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembersModule } from '../members/members.module.js';
import { TeamApp } from './team-app.entity.js';
import { TeamAppsController } from './team-apps.controller.js';
import { TeamAssignmentsPresenter } from './team-assignments.presenter.js';
import { TeamAssignmentsQueries } from './team-assignments.queries.js';
import { TeamAssignmentsService } from './team-assignments.service.js';
import { TeamMember } from './team-member.entity.js';
import { TeamMembersController } from './team-members.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([TeamApp, TeamMember]), MembersModule],
  controllers: [TeamAppsController, TeamMembersController],
  providers: [TeamAssignmentsService, TeamAssignmentsPresenter, TeamAssignmentsQueries],
  exports: [TeamAssignmentsService, TeamAssignmentsPresenter],
})
export class TeamAssignmentsModule {}
