import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Member } from '../members/member.entity.js';
import { Team } from '../teams/team.entity.js';
import { TeamMember } from './team-member.entity.js';
import { TeamMembersController } from './team-members.controller.js';
import { TeamMembersPresenter } from './team-members.presenter.js';
import { TeamMembersService } from './team-members.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([TeamMember, Team, Member])],
  controllers: [TeamMembersController],
  providers: [TeamMembersService, TeamMembersPresenter],
  exports: [TeamMembersService, TeamMembersPresenter],
})
export class TeamMembersModule {}
