import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps/apps.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { AppStoreConnectModule } from './app-store-connect/app-store-connect.module.js';
import { StoreBuildNumbersModule } from './build-numbers/store-build-numbers.module.js';
import { StoreCallsModule } from './calls/store-calls.service.js';
import { DestinationChecksModule } from './destination-checks/destination-checks.module.js';
import { DestinationsModule } from './destinations/destinations.module.js';
import { FlowModule } from './flow/flow.module.js';
import { GooglePlayModule } from './google-play/google-play.module.js';
import { ReleaseHistoryModule } from './release-history/release-history.module.js';
import { ReleaseLooks } from './release-watch/release-looks.service.js';
import { ReleaseWatch } from './release-watch/release-watch.service.js';
import { StoreReleasesModule } from './releases/store-releases.module.js';
import { StoreKeysModule } from './store-keys/store-keys.module.js';
import { SubmissionEvents } from './submission-events/submission-events.service.js';
import { SubmissionRequestsModule } from './submission-requests/submission-requests.module.js';
import { SubmissionsModule } from './submissions/submissions.module.js';

@Module({
  imports: [
    StoreBuildNumbersModule,
    StoreKeysModule,
    DestinationsModule,
    DestinationChecksModule,
    ReleaseHistoryModule,
    StoreReleasesModule,
    AppStoreConnectModule,
    GooglePlayModule,
    StoreCallsModule,
    SubmissionRequestsModule,
    SubmissionsModule,
    FlowModule,
    AppsModule,
    MetricsModule,
  ],
  providers: [ReleaseLooks, ReleaseWatch, SubmissionEvents],
})
export class AppSubmissionsModule {}
