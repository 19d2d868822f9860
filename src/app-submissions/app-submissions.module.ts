import { Module } from '@nestjs/common';
import { BuildNumbersModule } from './build-numbers/build-numbers.module.js';
import { DestinationChecksModule } from './destination-checks/destination-checks.module.js';
import { DestinationsModule } from './destinations/destinations.module.js';
import { ReleaseHistoryModule } from './release-history/release-history.module.js';
import { ReleaseWatchModule } from './release-watch/release-watch.module.js';
import { ReleasesModule } from './releases/releases.module.js';
import { StoreKeysModule } from './store-keys/store-keys.module.js';
import { StoresModule } from './stores/stores.module.js';
import { SubmissionEventsModule } from './submission-events/submission-events.module.js';
import { SubmissionRequestsModule } from './submission-requests/submission-requests.module.js';
import { SubmissionStepsModule } from './submission-steps/submission-steps.module.js';
import { SubmissionsModule } from './submissions/submissions.module.js';

@Module({
  imports: [
    BuildNumbersModule,
    StoreKeysModule,
    DestinationsModule,
    DestinationChecksModule,
    ReleaseHistoryModule,
    ReleaseWatchModule,
    ReleasesModule,
    StoresModule,
    SubmissionEventsModule,
    SubmissionRequestsModule,
    SubmissionsModule,
    SubmissionStepsModule,
  ],
})
export class AppSubmissionsModule {}
