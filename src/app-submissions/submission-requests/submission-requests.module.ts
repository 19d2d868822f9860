import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { SubmissionRequest } from './submission-request.entity.js';
import { SubmissionRequestsController } from './submission-requests.controller.js';
import { SubmissionRequestsQueries } from './submission-requests.queries.js';
import { SubmissionRequestsService } from './submission-requests.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SubmissionRequest]), AppAccessModule, SubmissionsModule],
  controllers: [SubmissionRequestsController],
  providers: [SubmissionRequestsQueries, SubmissionRequestsService],
  exports: [SubmissionRequestsService],
})
export class SubmissionRequestsModule {}
