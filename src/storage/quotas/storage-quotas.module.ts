import { Module } from '@nestjs/common';
import { StorageQuotasService } from './storage-quotas.service.js';

@Module({ providers: [StorageQuotasService], exports: [StorageQuotasService] })
export class StorageQuotasModule {}
