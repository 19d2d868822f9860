import { Module } from '@nestjs/common';
import { ReleaseCache } from './release-cache.js';
import { ReleaseTableLoader } from './release-table-loader.js';
import { ReleaseTablesQueries } from './release-tables.queries.js';

@Module({
  providers: [ReleaseTableLoader, ReleaseTablesQueries, ReleaseCache],
  exports: [ReleaseTableLoader, ReleaseCache],
})
export class ReleasesModule {}
