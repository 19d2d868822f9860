import { Module } from '@nestjs/common';
import { BlobVariantsModule } from '../blob-variants/blob-variants.module.js';
import { BlobsModule } from '../blobs/blobs.module.js';
import { BlobDownloads } from './blob-downloads.service.js';
import { DamageReports } from './damage-reports.service.js';
import { VerifiedReads } from './verified-reads.service.js';

@Module({
  imports: [BlobsModule, BlobVariantsModule],
  providers: [BlobDownloads, DamageReports, VerifiedReads],
  exports: [BlobDownloads, VerifiedReads],
})
export class BlobDownloadsModule {}
