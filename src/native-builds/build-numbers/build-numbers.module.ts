import { Module } from '@nestjs/common';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { BuildSettingsModule } from '../build-settings/build-settings.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { BuildNumberRequestsModule } from '../store-build-numbers/build-number-requests.module.js';
import { BuildNumbersQueries } from './build-numbers.queries.js';
import { BuildNumbersWorker } from './build-numbers.worker.js';

@Module({
  imports: [BuildSettingsModule, BuildsModule, JobsModule, BuildNumberRequestsModule],
  providers: [BuildNumbersQueries, BuildNumbersWorker],
})
export class BuildNumbersModule {}
