import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { EnvironmentSecret } from './environment-secret.entity.js';
import { EnvironmentSecretsController } from './environment-secrets.controller.js';
import { EnvironmentSecretsService } from './environment-secrets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([EnvironmentSecret]), EnvironmentsModule],
  controllers: [EnvironmentSecretsController],
  providers: [EnvironmentSecretsService],
  exports: [EnvironmentSecretsService],
})
export class EnvironmentSecretsModule {}
