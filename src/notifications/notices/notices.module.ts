import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { NoticeMail } from './notice-mail.entity.js';
import { NoticeSettings } from './notice-settings.entity.js';
import { NoticeSettingsService } from './notice-settings.service.js';
import { NoticesController } from './notices.controller.js';

/** Mails to users about events. */
@Module({
  imports: [TypeOrmModule.forFeature([NoticeSettings, NoticeMail]), UsersModule],
  controllers: [NoticesController],
  providers: [NoticeSettingsService],
})
export class NoticesModule {}
