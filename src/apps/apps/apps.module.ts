import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationAccessModule } from '../../organizations/organization-access/organization-access.module.js';
import { AppPresenter } from '../../organizations/team-assignments/app.presenter.js';
import { TeamAssignmentsModule } from '../../organizations/team-assignments/team-assignments.module.js';
import { App } from './app.entity.js';
import { AppsPresenter } from './apps.presenter.js';
import { AppChanges } from './app-changes.js';
import { AppsQueries } from './apps.queries.js';
import { AppsController } from './apps.controller.js';
import { AppsService } from './apps.service.js';

/** Global because it provides `AppPresenter` to teams, which may not import apps. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([App]), OrganizationAccessModule, TeamAssignmentsModule],
  controllers: [AppsController],
  providers: [AppsService, AppsQueries, AppChanges, { provide: AppPresenter, useClass: AppsPresenter }],
  exports: [AppsService, AppChanges, AppPresenter],
})
export class AppsModule {}
