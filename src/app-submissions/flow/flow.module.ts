import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { OrganizationsModule } from '../../organizations/organizations/organizations.module.js';
import { StoreCallsModule } from '../calls/store-calls.service.js';
import { StoreReleasesModule } from '../releases/store-releases.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { SealedUploads } from './sealed-uploads.service.js';
import { StoreTurn } from './store-turn.entity.js';
import { StoreTurnsQueries } from './store-turns.queries.js';
import { StoreTurns } from './store-turns.service.js';
import { SubmissionStores } from './store.js';
import { SubmissionDoneController } from './submission-done.controller.js';
import { SubmissionDoneService } from './submission-done.service.js';
import { SubmissionCleanups, SubmissionEndings } from './submission-endings.service.js';
import { SubmissionJob } from './submission-job.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([StoreTurn]),
    AppAccessModule,
    JobsModule,
    OrganizationsModule,
    StoreReleasesModule,
    StoreCallsModule,
    SubmissionsModule,
  ],
  controllers: [SubmissionDoneController],
  providers: [
    SealedUploads,
    StoreTurns,
    StoreTurnsQueries,
    SubmissionCleanups,
    SubmissionDoneService,
    SubmissionEndings,
    SubmissionJob,
    SubmissionStores,
  ],
  exports: [SealedUploads, StoreTurns, SubmissionStores],
})
export class FlowModule {}
