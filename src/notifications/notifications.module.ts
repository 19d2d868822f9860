import { Module } from '@nestjs/common';
import { ChangesModule } from './changes/changes.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DispatcherModule } from './dispatcher/dispatcher.module.js';
import { EventTypesModule } from './event-types/event-types.module.js';
import { FeedModule } from './feed/feed.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Module({
  imports: [
    WebhooksModule,
    DeliveriesModule,
    DispatcherModule,
    EventTypesModule,
    FeedModule,
    ChangesModule,
    NoticesModule,
  ],
})
export class NotificationsModule {}
