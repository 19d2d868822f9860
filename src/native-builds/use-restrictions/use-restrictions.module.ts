import { Module } from '@nestjs/common';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { UseRestrictionsQueries } from './use-restrictions.queries.js';
import { UseRestrictionsService } from './use-restrictions.service.js';

@Module({
  imports: [AppAccessModule],
  providers: [UseRestrictionsService, UseRestrictionsQueries],
  exports: [UseRestrictionsService],
})
export class UseRestrictionsModule {}
