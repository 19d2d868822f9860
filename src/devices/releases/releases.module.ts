import { Module } from '@nestjs/common';
import { ReleaseCache } from './release-cache.js';
import { ReleaseTableLoader } from './release-table-loader.js';

@Module({
  providers: [ReleaseTableLoader, ReleaseCache],
  exports: [ReleaseTableLoader, ReleaseCache],
})
export class ReleasesModule {}
