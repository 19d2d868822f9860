import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobsModule } from '../jobs/jobs.module.js';
import { LostRunnersQueries } from '../lost-runners/lost-runners.queries.js';
import { LostRunners } from '../lost-runners/lost-runners.task.js';
import { Runner } from './runner.entity.js';
import { RunnersController } from './runners.controller.js';
import { RunnersPresenter } from './runners.presenter.js';
import { RunnersQueries } from './runners.queries.js';
import { RunnersService } from './runners.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Runner]), JobsModule],
  controllers: [RunnersController],
  providers: [RunnersService, RunnersPresenter, RunnersQueries, LostRunnersQueries, LostRunners],
  exports: [RunnersService],
})
export class RunnersModule {}
