import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ReleaseChanges } from './release-changes.js';
import { StoreRelease } from './store-release.entity.js';
import { StoreReleases } from './store-releases.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoreRelease])],
  providers: [ReleaseChanges, StoreReleases],
  exports: [ReleaseChanges, StoreReleases],
})
export class ReleasesModule {}
