import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module.js';
import { ChannelExpiryQueries } from './channel-expiry.queries.js';
import { ChannelExpiryEvents } from './channel-expiry.task.js';

@Module({ imports: [ChannelsModule], providers: [ChannelExpiryQueries, ChannelExpiryEvents] })
export class ChannelExpiryModule {}
