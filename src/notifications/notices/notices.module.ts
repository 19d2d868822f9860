import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { DispatcherModule } from '../dispatcher/dispatcher.module.js';
import { NoticeMail } from './notice-mail.entity.js';
import { NoticeMailsService } from './notice-mails.service.js';
import { NoticeRetention } from './notice-retention.task.js';
import { NoticeSettings } from './notice-settings.entity.js';
import { NoticeSettingsService } from './notice-settings.service.js';
import { NoticesController } from './notices.controller.js';
import { NoticesQueries } from './notices.queries.js';
import { NoticesService } from './notices.service.js';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller.js';

/** Mails to users about events. */
@Module({
  imports: [TypeOrmModule.forFeature([NoticeSettings, NoticeMail]), UsersModule, DispatcherModule],
  controllers: [NoticesController, UnsubscribeController],
  providers: [NoticeSettingsService, NoticesService, NoticeMailsService, NoticesQueries, NoticeRetention],
})
export class NoticesModule {}
