import { Module } from '@nestjs/common';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { JobKindsModule } from '../job-kinds/job-kinds.module.js';
import { JobLogArchive } from './job-log-archive.service.js';
import { JobLogCache } from './job-log-cache.js';
import { JobLogPages } from './job-log-pages.service.js';
import { JobLogReader } from './job-log-reader.service.js';
import { JobLogRetentionQueries } from './job-log-retention.queries.js';
import { JobLogRetention } from './job-log-retention.service.js';
import { JobLogWriter } from './job-log-writer.service.js';
import { JobLogsQueries } from './job-logs.queries.js';
import { JobMasks } from './job-masks.service.js';

@Module({
  imports: [JobKindsModule, BlobsModule],
  providers: [
    JobMasks,
    JobLogWriter,
    JobLogCache,
    JobLogReader,
    JobLogPages,
    JobLogArchive,
    JobLogRetention,
    JobLogRetentionQueries,
    JobLogsQueries,
  ],
  exports: [JobLogWriter, JobLogReader, JobLogPages, JobLogArchive, JobLogsQueries, JobMasks],
})
export class JobLogsModule {}
