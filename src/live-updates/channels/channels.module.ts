import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { DefaultChannels } from '../../apps/apps/default-channels.js';
import { WebhookChannels } from '../../notifications/webhooks/webhook-channels.js';
import { ChannelExpiryQueries } from './channel-expiry-events.queries.js';
import { ChannelExpiryEvents } from './channel-expiry-events.task.js';
import { ChannelGovernanceService } from './channel-governance.service.js';
import { Channel } from './channel.entity.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsPresenter } from './channels.presenter.js';
import { ChannelsQueries } from './channels.queries.js';
import { ChannelsService } from './channels.service.js';

/** Global because it provides ports to apps and webhooks, which may not import this area. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Channel]), AppsModule, AppAccessModule, UsersModule],
  controllers: [ChannelsController],
  providers: [
    ChannelsService,
    ChannelsQueries,
    ChannelsPresenter,
    ChannelGovernanceService,
    { provide: DefaultChannels, useExisting: ChannelsService },
    { provide: WebhookChannels, useExisting: ChannelsQueries },
    ChannelExpiryQueries,
    ChannelExpiryEvents,
  ],
  exports: [ChannelsService, ChannelsPresenter, DefaultChannels, WebhookChannels],
})
export class ChannelsModule {}
