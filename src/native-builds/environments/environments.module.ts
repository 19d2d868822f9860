import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { DefaultEnvironments } from '../../apps/apps/default-environments.js';
import { EnvironmentSecret } from '../environment-values/environment-secret.entity.js';
import { EnvironmentVariable } from '../environment-values/environment-variable.entity.js';
import { UseRestrictionsModule } from '../use-restrictions/use-restrictions.module.js';
import { DefaultEnvironmentsService } from './default-environments.service.js';
import { Environment } from './environment.entity.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsPresenter } from './environments.presenter.js';
import { EnvironmentsService } from './environments.service.js';

/** Global because it provides `DefaultEnvironments` to apps, which may not import this area. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Environment, EnvironmentVariable, EnvironmentSecret]),
    AppAccessModule,
    UseRestrictionsModule,
  ],
  controllers: [EnvironmentsController],
  providers: [
    EnvironmentsService,
    EnvironmentsPresenter,
    { provide: DefaultEnvironments, useClass: DefaultEnvironmentsService },
  ],
  exports: [EnvironmentsService, DefaultEnvironments],
})
export class EnvironmentsModule {}
