import { Module } from '@nestjs/common';
import { SignInAttemptsModule } from '../sign-in-attempts/sign-in-attempts.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountMailsService } from './account-mails.service.js';
import { SignInNotices } from './sign-in-notices.service.js';

@Module({
  imports: [SignInAttemptsModule, UsersModule],
  providers: [AccountMailsService, SignInNotices],
  exports: [AccountMailsService, SignInNotices],
})
export class AccountMailsModule {}
