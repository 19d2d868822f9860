import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { ReleaseActions } from './release-actions.service.js';
import { ReleaseChanges } from './release-changes.js';
import { StoreRelease } from './store-release.entity.js';
import { StoreReleases } from './store-releases.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoreRelease]), SubmissionsModule],
  providers: [ReleaseActions, ReleaseChanges, StoreReleases],
  exports: [ReleaseActions, ReleaseChanges, StoreReleases],
})
export class ReleasesModule {}
