import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { DefaultChannels } from '../../apps/apps/default-channels.js';
import { ChannelGovernanceService } from './channel-governance.service.js';
import { Channel } from './channel.entity.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsPresenter } from './channels.presenter.js';
import { ChannelsQueries } from './channels.queries.js';
import { ChannelsService } from './channels.service.js';

/** Global because it provides `DefaultChannels` to apps, which may not import this area. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Channel]), AppsModule, AppAccessModule],
  controllers: [ChannelsController],
  providers: [
    ChannelsService,
    ChannelsQueries,
    ChannelsPresenter,
    ChannelGovernanceService,
    { provide: DefaultChannels, useExisting: ChannelsService },
  ],
  exports: [ChannelsService, ChannelsPresenter, DefaultChannels],
})
export class ChannelsModule {}
