import { Global, Module } from '@nestjs/common';
import { Fallbacks } from './outages/fallbacks.js';
import { KeptRows } from './outages/kept-rows.js';
import { Notifications } from './notifications.js';

/** Notifications about changes by other replicas. */
@Global()
@Module({ providers: [Notifications, Fallbacks, KeptRows], exports: [Notifications, Fallbacks, KeptRows] })
export class NotificationsModule {}
