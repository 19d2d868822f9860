import { Module } from '@nestjs/common';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { BuildDeploymentsModule } from './build-deployments/build-deployments.module.js';
import { BundleFilesModule } from './bundle-files/bundle-files.module.js';
import { BundlesModule } from './bundles/bundles.module.js';
import { ChannelsModule } from './channels/channels.module.js';
import { DamagedFilesModule } from './damaged-files/damaged-files.module.js';
import { DeltasModule } from './deltas/deltas.module.js';
import { DeploymentsModule } from './deployments/deployments.module.js';
import { DownloadsModule } from './downloads/downloads.module.js';
import { ImportedManifestsModule } from './imported-manifests/imported-manifests.module.js';
import { InboxModule } from './inbox/inbox.module.js';
import { LegalHoldsModule } from './legal-holds/legal-holds.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { RolloutPlansModule } from './rollout-plans/rollout-plans.module.js';
import { StoreReleaseRequestsModule } from './store-release-requests/store-release-requests.module.js';

@Module({
  imports: [
    ChannelsModule,
    DeploymentsModule,
    ApprovalsModule,
    RolloutPlansModule,
    StoreReleaseRequestsModule,
    BuildDeploymentsModule,
    BundlesModule,
    BundleFilesModule,
    DownloadsModule,
    DeltasModule,
    ImportedManifestsModule,
    LegalHoldsModule,
    DamagedFilesModule,
    RetentionModule,
    InboxModule,
  ],
})
export class LiveUpdatesModule {}
