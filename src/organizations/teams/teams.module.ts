import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TeamAssignmentsModule } from '../team-assignments/team-assignments.module.js';
import { Team } from './team.entity.js';
import { TeamsController } from './teams.controller.js';
import { TeamsPresenter } from './teams.presenter.js';
import { TeamsQueries } from './teams.queries.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Team]), TeamAssignmentsModule],
  controllers: [TeamsController],
  providers: [TeamsService, TeamsPresenter, TeamsQueries],
})
export class TeamsModule {}
