import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Job } from './job.entity.js';
import { JobEndings } from './job-endings.service.js';
import { JobKindsModule } from './job-kinds.module.js';
import { JobsService } from './jobs.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Job]), JobKindsModule],
  providers: [JobsService, JobEndings],
  exports: [JobsService, JobEndings, JobKindsModule],
})
export class JobsModule {}
