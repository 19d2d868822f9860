import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Team } from './team.entity.js';
import { TeamsController } from './teams.controller.js';
import { TeamsPresenter } from './teams.presenter.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Team])],
  controllers: [TeamsController],
  providers: [TeamsService, TeamsPresenter],
  exports: [TeamsService, TeamsPresenter],
})
export class TeamsModule {}
