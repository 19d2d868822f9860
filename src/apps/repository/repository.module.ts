import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GitConnectionsModule } from '../../organizations/git-connections/git-connections.module.js';
import { OrganizationAccessModule } from '../../organizations/organization-access/organization-access.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { LinkedRepositories } from '../apps/linked-repositories.js';
import { AppRepository } from './app-repository.entity.js';
import { LinkedRepositoryService } from './linked-repository.service.js';
import { RepositoryController } from './repository.controller.js';
import { RepositoryLinkingService } from './repository-linking.service.js';
import { RepositoryRefsService } from './repository-refs.service.js';

/** Global because it provides `LinkedRepositories` to apps, which may not import this folder. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([AppRepository]),
    AppsModule,
    GitConnectionsModule,
    OrganizationAccessModule,
  ],
  controllers: [RepositoryController],
  providers: [
    LinkedRepositoryService,
    RepositoryLinkingService,
    RepositoryRefsService,
    { provide: LinkedRepositories, useExisting: LinkedRepositoryService },
  ],
  exports: [LinkedRepositoryService, RepositoryRefsService, LinkedRepositories],
})
export class RepositoryModule {}
