import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { DestinationsModule } from '../../app-submissions/destinations/destinations.module.js';
import { ReleaseHistoryModule } from '../../app-submissions/release-history/release-history.module.js';
import { StoreReleasesModule } from '../../app-submissions/releases/store-releases.module.js';
import { SubmissionsModule } from '../../app-submissions/submissions/submissions.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { OrganizationsModule } from '../../organizations/organizations/organizations.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { UnsafeReuseModule } from '../unsafe-reuse/unsafe-reuse.module.js';
import { ApprovalDeadlines } from './approval-deadlines.service.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsPresenter } from './approvals.presenter.js';
import { ApprovalsQueries } from './approvals.queries.js';
import { ApprovalsService } from './approvals.service.js';
import { DeploymentApproval } from './deployment-approval.entity.js';
import { ChannelApprovals } from './targets/channel-approvals.service.js';
import { StoreApprovals } from './targets/store-approvals.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([DeploymentApproval]),
    AppAccessModule,
    AppsModule,
    ChannelsModule,
    DeploymentsModule,
    DestinationsModule,
    OrganizationsModule,
    ReleaseHistoryModule,
    StoreReleasesModule,
    SubmissionsModule,
    UnsafeReuseModule,
    UsersModule,
  ],
  controllers: [ApprovalsController],
  providers: [
    ApprovalsService,
    ApprovalsPresenter,
    ApprovalsQueries,
    ApprovalDeadlines,
    ChannelApprovals,
    StoreApprovals,
  ],
})
export class ApprovalsModule {}
