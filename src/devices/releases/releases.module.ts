import { Module } from '@nestjs/common';
import { ReleaseCache } from './release-cache.js';
import { ReleaseTableLoader } from './release-table-loader.js';
import { ReleaseTableQueries } from './release-table.queries.js';

@Module({
  providers: [ReleaseTableLoader, ReleaseTableQueries, ReleaseCache],
  exports: [ReleaseTableLoader, ReleaseCache],
})
export class ReleasesModule {}
