import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GitConnectionsModule } from '../../organizations/git-connections/git-connections.module.js';
import { OrganizationAccessModule } from '../../organizations/organization-access/organization-access.module.js';
import { AppsModule } from '../apps/apps.module.js';
import { AppRepository } from './app-repository.entity.js';
import { LinkedRepositoryService } from './linked-repository.service.js';
import { RepositoryController } from './repository.controller.js';
import { RepositoryLinkingService } from './repository-linking.service.js';
import { RepositoryRefsService } from './repository-refs.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([AppRepository]),
    AppsModule,
    GitConnectionsModule,
    OrganizationAccessModule,
  ],
  controllers: [RepositoryController],
  providers: [LinkedRepositoryService, RepositoryLinkingService, RepositoryRefsService],
  exports: [LinkedRepositoryService, RepositoryRefsService],
})
export class RepositoryModule {}
