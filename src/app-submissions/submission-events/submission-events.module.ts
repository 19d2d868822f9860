import { Module } from '@nestjs/common';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { StoreReleasesModule } from '../releases/store-releases.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { SubmissionEvents } from './submission-events.service.js';

@Module({
  imports: [DestinationsModule, StoreReleasesModule, SubmissionsModule],
  providers: [SubmissionEvents],
})
export class SubmissionEventsModule {}
