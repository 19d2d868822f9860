import { Module } from '@nestjs/common';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { UploadsModule } from '../../storage/uploads/uploads.module.js';
import { ArtifactDetailsModule } from '../artifact-details/artifact-details.module.js';
import { BuildArtifactsModule } from '../build-artifacts/build-artifacts.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { ImportDeadline } from './import-deadline.task.js';
import { ImportJob } from './import-job.service.js';
import { ImportsController } from './imports.controller.js';
import { ImportsQueries } from './imports.queries.js';
import { ImportsService } from './imports.service.js';

@Module({
  imports: [
    AppAccessModule,
    ArtifactDetailsModule,
    BlobsModule,
    BuildArtifactsModule,
    BuildsModule,
    JobsModule,
    UploadsModule,
  ],
  controllers: [ImportsController],
  providers: [ImportsService, ImportsQueries, ImportJob, ImportDeadline],
})
export class ImportsModule {}
