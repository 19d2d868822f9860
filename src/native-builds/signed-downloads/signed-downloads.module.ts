import { Module } from '@nestjs/common';
import { SignedDownloads } from './signed-downloads.service.js';

@Module({ providers: [SignedDownloads], exports: [SignedDownloads] })
export class SignedDownloadsModule {}
