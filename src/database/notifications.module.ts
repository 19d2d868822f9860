import { Global, Module } from '@nestjs/common';
import { Notifications } from './notifications.js';

/** Notifications about changes by other replicas. */
@Global()
@Module({ providers: [Notifications], exports: [Notifications] })
export class NotificationsModule {}
