import { Module } from '@nestjs/common';
import { AppAccessModule } from './app-access/app-access.module.js';
import { AppsModule } from './apps/apps.module.js';
import { RepositoryModule } from './repository/repository.module.js';

@Module({ imports: [AppsModule, RepositoryModule, AppAccessModule] })
export class AppsAreaModule {}
