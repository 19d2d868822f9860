import { Module } from '@nestjs/common';
import { StorageQuotasQueries } from './storage-quotas.queries.js';
import { StorageQuotasService } from './storage-quotas.service.js';

@Module({ providers: [StorageQuotasQueries, StorageQuotasService], exports: [StorageQuotasService] })
export class StorageQuotasModule {}
