import { Module } from '@nestjs/common';
import { DestinationsModule } from './destinations/destinations.module.js';
import { StoreKeysModule } from './store-keys/store-keys.module.js';
import { SubmissionsModule } from './submissions/submissions.module.js';

@Module({ imports: [StoreKeysModule, DestinationsModule, SubmissionsModule] })
export class AppSubmissionsModule {}
