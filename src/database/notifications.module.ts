import { Global, Module } from '@nestjs/common';
import { Notifications } from './notifications.js';

/** What other replicas have changed; `main.ts` starts it. */
@Global()
@Module({ providers: [Notifications], exports: [Notifications] })
export class NotificationsModule {}
