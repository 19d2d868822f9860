import { Module } from '@nestjs/common';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { RepositoryModule } from '../../apps/repository/repository.module.js';
import { DefaultRefsService } from './default-refs.service.js';
import { UnqualifiedPatternsTask } from './unqualified-patterns.task.js';
import { UseRestrictionsQueries } from './use-restrictions.queries.js';
import { UseRestrictionsService } from './use-restrictions.service.js';

@Module({
  imports: [AppAccessModule, RepositoryModule],
  providers: [UseRestrictionsService, DefaultRefsService, UseRestrictionsQueries, UnqualifiedPatternsTask],
  exports: [UseRestrictionsService, DefaultRefsService],
})
export class UseRestrictionsModule {}
