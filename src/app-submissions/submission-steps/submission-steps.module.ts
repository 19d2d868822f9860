import { Module } from '@nestjs/common';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { OrganizationsModule } from '../../organizations/organizations/organizations.module.js';
import { StoreReleasesModule } from '../store-releases/store-releases.module.js';
import { AppStoreConnectFlowsModule } from '../stores/app-store-connect/flows/app-store-connect-flows.module.js';
import { GooglePlayFlowsModule } from '../stores/google-play/flows/google-play-flows.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { SubmissionCleanups } from './submission-cleanups.service.js';
import { SubmissionDoneController } from './submission-done.controller.js';
import { SubmissionDoneService } from './submission-done.service.js';
import { SubmissionEndings } from './submission-endings.service.js';
import { SubmissionJob } from './submission-job.service.js';
import { SubmissionStores } from './submission-stores.js';

@Module({
  imports: [
    AppAccessModule,
    AppStoreConnectFlowsModule,
    GooglePlayFlowsModule,
    JobsModule,
    OrganizationsModule,
    StoreReleasesModule,
    StoresModule,
    SubmissionsModule,
  ],
  controllers: [SubmissionDoneController],
  providers: [SubmissionCleanups, SubmissionDoneService, SubmissionEndings, SubmissionJob, SubmissionStores],
  exports: [SubmissionStores],
})
export class SubmissionStepsModule {}
