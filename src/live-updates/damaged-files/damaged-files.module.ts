import { Module } from '@nestjs/common';
import { DamagedBundlesQueries } from './damaged-bundles.queries.js';
import { DamagedBundleEvents } from './damaged-bundles.task.js';
import { DamagedFilesController } from './damaged-files.controller.js';
import { DamagedFilesQueries } from './damaged-files.queries.js';

@Module({
  controllers: [DamagedFilesController],
  providers: [DamagedFilesQueries, DamagedBundlesQueries, DamagedBundleEvents],
})
export class DamagedFilesModule {}
