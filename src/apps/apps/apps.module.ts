import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationAccessModule } from '../../organizations/organization-access/organization-access.module.js';
import { AppViews } from '../../organizations/teams/app-views.js';
import { TeamsModule } from '../../organizations/teams/teams.module.js';
import { App } from './app.entity.js';
import { AppViewsService } from './app-views.service.js';
import { AppsController } from './apps.controller.js';
import { AppsService } from './apps.service.js';

/** Global because it provides what teams, which live upstream and may not import it, ask of apps. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([App]), OrganizationAccessModule, TeamsModule],
  controllers: [AppsController],
  providers: [AppsService, { provide: AppViews, useClass: AppViewsService }],
  exports: [AppsService, AppViews],
})
export class AppsModule {}
