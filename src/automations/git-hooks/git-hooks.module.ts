import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { RepositoryModule } from '../../apps/repository/repository.module.js';
import { GitLooksModule } from '../git-looks/git-looks.module.js';
import { GitHook } from './git-hook.entity.js';
import { GitHooksService } from './git-hooks.service.js';
import { HookDeliveriesController } from './hook-deliveries.controller.js';
import { RepositoryHookController } from './repository-hook.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([GitHook]),
    AppAccessModule,
    AppsModule,
    GitLooksModule,
    RepositoryModule,
  ],
  controllers: [HookDeliveriesController, RepositoryHookController],
  providers: [GitHooksService],
})
export class GitHooksModule {}
