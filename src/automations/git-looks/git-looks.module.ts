import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { RepositoryModule } from '../../apps/repository/repository.module.js';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { AutomationsModule } from '../automations/automations.module.js';
import { AutomationAuthority } from './automation-authority.service.js';
import { AutomationRuns } from './automation-runs.service.js';
import { Gate } from './gate.service.js';
import { GitEvent } from './git-event.entity.js';
import { GitEventsController } from './git-events.controller.js';
import { GitEventsService } from './git-events.service.js';
import { GitLooksQueries } from './git-looks.queries.js';
import { LooksQueries } from './looks.queries.js';
import { LooksService } from './looks.service.js';
import { RepositoryLook } from './repository-look.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([GitEvent, RepositoryLook]),
    AppAccessModule,
    AppsModule,
    AutomationsModule,
    BuildsModule,
    RepositoryModule,
  ],
  controllers: [GitEventsController],
  providers: [
    AutomationAuthority,
    AutomationRuns,
    Gate,
    GitEventsService,
    GitLooksQueries,
    LooksQueries,
    LooksService,
  ],
  exports: [LooksService],
})
export class GitLooksModule {}
