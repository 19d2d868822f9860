import { Module } from '@nestjs/common';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { MetricsModule } from '../../metrics/metrics.module.js';
import { ReleasesModule } from '../releases/releases.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { SubmissionStepsModule } from '../submission-steps/submission-steps.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { LostLooks } from './lost-looks.task.js';
import { ReleaseLooks } from './release-looks.service.js';
import { ReleaseWatch } from './release-watch.service.js';

@Module({
  imports: [
    AppsModule,
    MetricsModule,
    ReleasesModule,
    StoresModule,
    SubmissionStepsModule,
    SubmissionsModule,
  ],
  providers: [LostLooks, ReleaseLooks, ReleaseWatch],
})
export class ReleaseWatchModule {}
