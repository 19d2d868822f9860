import { Module } from '@nestjs/common';
import { SubmissionRequestsModule } from '../submission-requests/submission-requests.module.js';
import { StoreCalls } from './store-calls.service.js';

@Module({ imports: [SubmissionRequestsModule], providers: [StoreCalls], exports: [StoreCalls] })
export class StoreCallsModule {}
