import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { StoreReleasesModule } from '../releases/store-releases.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { ReleaseEvent } from './release-event.entity.js';
import { ReleaseHistoryController } from './release-history.controller.js';
import { ReleaseHistory } from './release-history.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ReleaseEvent]),
    AppAccessModule,
    StoreReleasesModule,
    SubmissionsModule,
    UsersModule,
  ],
  controllers: [ReleaseHistoryController],
  providers: [ReleaseHistory],
  exports: [ReleaseHistory],
})
export class ReleaseHistoryModule {}
