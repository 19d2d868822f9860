import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { ReleaseActions } from './release-actions.service.js';
import { ReleaseChanges } from './release-changes.js';
import { StoreRelease } from './store-release.entity.js';
import { StoreReleases } from './store-releases.service.js';
import { SubmissionsPresenter } from './submissions.presenter.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoreRelease]), JobsModule, SubmissionsModule, UsersModule],
  providers: [ReleaseActions, ReleaseChanges, StoreReleases, SubmissionsPresenter],
  exports: [ReleaseActions, ReleaseChanges, StoreReleases, SubmissionsPresenter],
})
export class StoreReleasesModule {}
