import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkerJobsModule } from '../../jobs/worker-jobs/worker-jobs.module.js';
import { StoreTurn } from './store-turn.entity.js';
import { StoreTurnsQueries } from './store-turns.queries.js';
import { StoreTurns } from './store-turns.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoreTurn]), WorkerJobsModule],
  providers: [StoreTurns, StoreTurnsQueries],
  exports: [StoreTurns],
})
export class StoreTurnsModule {}
