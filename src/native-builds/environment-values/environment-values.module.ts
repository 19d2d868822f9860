import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { EnvironmentSecret } from './environment-secret.entity.js';
import { EnvironmentSecretsController } from './environment-secrets.controller.js';
import { EnvironmentValuesQueries } from './environment-values.queries.js';
import { EnvironmentValuesService } from './environment-values.service.js';
import { EnvironmentVariable } from './environment-variable.entity.js';
import { EnvironmentVariablesController } from './environment-variables.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([EnvironmentVariable, EnvironmentSecret]), EnvironmentsModule],
  controllers: [EnvironmentVariablesController, EnvironmentSecretsController],
  providers: [EnvironmentValuesService, EnvironmentValuesQueries],
  exports: [EnvironmentValuesService],
})
export class EnvironmentValuesModule {}
