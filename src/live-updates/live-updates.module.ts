import { Module } from '@nestjs/common';
import { BundlesModule } from './bundles/bundles.module.js';
import { ChannelsModule } from './channels/channels.module.js';
import { DeploymentsModule } from './deployments/deployments.module.js';
import { DevicesModule } from './devices/devices.module.js';
import { UpdateCheckModule } from './update-check/update-check.module.js';

@Module({ imports: [ChannelsModule, BundlesModule, DeploymentsModule, DevicesModule, UpdateCheckModule] })
export class LiveUpdatesModule {}
