import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { DefaultEnvironments } from '../../apps/apps/default-environments.js';
import { UseRestrictionsModule } from '../use-restrictions/use-restrictions.module.js';
import { EnvironmentCreationService } from './environment-creation.service.js';
import { Environment } from './environment.entity.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsQueries } from './environments.queries.js';
import { EnvironmentsPresenter } from './environments.presenter.js';
import { EnvironmentsService } from './environments.service.js';

/** Global because it provides `DefaultEnvironments` to apps, which may not import this area. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Environment]), AppAccessModule, UseRestrictionsModule],
  controllers: [EnvironmentsController],
  providers: [
    EnvironmentsService,
    EnvironmentCreationService,
    EnvironmentsPresenter,
    EnvironmentsQueries,
    { provide: DefaultEnvironments, useExisting: EnvironmentsService },
  ],
  exports: [EnvironmentsService, DefaultEnvironments],
})
export class EnvironmentsModule {}
