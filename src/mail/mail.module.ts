import { Global, Module } from '@nestjs/common';
import { MailerService } from './mailer.service.js';

/** Mail by SMTP, if it is configured. */
@Global()
@Module({ providers: [MailerService], exports: [MailerService] })
export class MailModule {}
