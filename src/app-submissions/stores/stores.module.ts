import { Module } from '@nestjs/common';
import { SubmissionRequestsModule } from '../submission-requests/submission-requests.module.js';
import { GoogleTokens } from './google-play/google-token.service.js';
import { StoreCalls } from './store-calls/store-calls.service.js';

@Module({
  imports: [SubmissionRequestsModule],
  providers: [StoreCalls, GoogleTokens],
  exports: [StoreCalls, GoogleTokens],
})
export class StoresModule {}
