import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { DefaultEnvironments } from '../../apps/apps/default-environments.js';
import { EnvironmentLocks } from '../environment-values/environment-locks.js';
import { EnvironmentSecretsController } from '../environment-values/environment-secrets.controller.js';
import { EnvironmentValuesQueries } from '../environment-values/environment-values.queries.js';
import { EnvironmentValuesService } from '../environment-values/environment-values.service.js';
import { EnvironmentVariablesController } from '../environment-values/environment-variables.controller.js';
import { EnvironmentSecret } from '../environment-values/environment-secret.entity.js';
import { EnvironmentVariable } from '../environment-values/environment-variable.entity.js';
import { UseRestrictionsModule } from '../use-restrictions/use-restrictions.module.js';
import { Environment } from './environment.entity.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsPresenter } from './environments.presenter.js';
import { EnvironmentsService } from './environments.service.js';

/** Environments with their variables and secrets. Global because it provides `DefaultEnvironments` to apps, which may not import this area. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Environment, EnvironmentVariable, EnvironmentSecret]),
    AppAccessModule,
    UseRestrictionsModule,
  ],
  controllers: [EnvironmentsController, EnvironmentVariablesController, EnvironmentSecretsController],
  providers: [
    EnvironmentsService,
    EnvironmentsPresenter,
    EnvironmentValuesService,
    EnvironmentValuesQueries,
    { provide: EnvironmentLocks, useExisting: EnvironmentsService },
    { provide: DefaultEnvironments, useExisting: EnvironmentsService },
  ],
  exports: [EnvironmentsService, EnvironmentValuesService, DefaultEnvironments],
})
export class EnvironmentsModule {}
