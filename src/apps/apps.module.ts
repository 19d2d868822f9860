import { Module } from '@nestjs/common';
import { AppAccessModule } from './app-access/app-access.module.js';
import { AppsModule } from './apps/apps.module.js';

@Module({ imports: [AppsModule, AppAccessModule] })
export class AppsAreaModule {}
