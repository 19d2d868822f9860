import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkerJobsModule } from '../../jobs/worker-jobs/worker-jobs.module.js';
import { StoreEdit } from './store-edit.entity.js';
import { StoreEditsQueries } from './store-edits.queries.js';
import { StoreEdits } from './store-edits.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoreEdit]), WorkerJobsModule],
  providers: [StoreEdits, StoreEditsQueries],
  exports: [StoreEdits],
})
export class StoreEditsModule {}
