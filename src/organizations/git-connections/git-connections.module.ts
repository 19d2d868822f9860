import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GitProviderClients } from '../git-providers/git-provider-clients.js';
import { GitConnectionRepositoriesService } from './git-connection-repositories.service.js';
import { GitConnectionUseService } from './git-connection-use.service.js';
import { GitConnection } from './git-connection.entity.js';
import { GitConnectionsController } from './git-connections.controller.js';
import { GitConnectionsQueries } from './git-connections.queries.js';
import { GitConnectionsService } from './git-connections.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([GitConnection])],
  controllers: [GitConnectionsController],
  providers: [
    GitConnectionsService,
    GitConnectionRepositoriesService,
    GitConnectionUseService,
    GitConnectionsQueries,
    GitProviderClients,
  ],
  exports: [GitConnectionsService, GitConnectionUseService],
})
export class GitConnectionsModule {}
