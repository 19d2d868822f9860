import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobQueuesModule } from '../job-queues/job-queues.module.js';
import { Runner } from './runner.entity.js';
import { RunnersController } from './runners.controller.js';
import { RunnersPresenter } from './runners.presenter.js';
import { RunnersQueries } from './runners.queries.js';
import { RunnersService } from './runners.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Runner]), JobQueuesModule],
  controllers: [RunnersController],
  providers: [RunnersService, RunnersPresenter, RunnersQueries],
  exports: [RunnersService],
})
export class RunnersModule {}
