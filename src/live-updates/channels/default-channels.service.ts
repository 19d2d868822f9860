import { Injectable } from '@nestjs/common';
import { DefaultChannels } from '../../apps/apps/default-channels.js';
import { ChannelsService } from './channels.service.js';

/** What apps need from channels. */
@Injectable()
export class DefaultChannelsService extends DefaultChannels {
  constructor(private readonly channels: ChannelsService) {
    super();
  }

  override async create(appId: string): Promise<string> {
    return (await this.channels.create(appId, { name: 'default' })).id;
  }

  override exists(appId: string, channelId: string): Promise<boolean> {
    return this.channels.exists(appId, channelId);
  }
}
