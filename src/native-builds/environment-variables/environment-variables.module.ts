import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { EnvironmentVariable } from './environment-variable.entity.js';
import { EnvironmentVariablesController } from './environment-variables.controller.js';
import { EnvironmentVariablesService } from './environment-variables.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([EnvironmentVariable]), EnvironmentsModule],
  controllers: [EnvironmentVariablesController],
  providers: [EnvironmentVariablesService],
  exports: [EnvironmentVariablesService],
})
export class EnvironmentVariablesModule {}
