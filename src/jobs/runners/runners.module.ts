import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobsModule } from '../jobs/jobs.module.js';
import { Runner } from './runner.entity.js';
import { RunnersController } from './runners.controller.js';
import { RunnersPresenter } from './runners.presenter.js';
import { RunnersQueries } from './runners.queries.js';
import { RunnersService } from './runners.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Runner]), JobsModule],
  controllers: [RunnersController],
  providers: [RunnersService, RunnersPresenter, RunnersQueries],
  exports: [RunnersService],
})
export class RunnersModule {}
