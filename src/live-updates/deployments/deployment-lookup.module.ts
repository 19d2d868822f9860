import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Deployment } from './deployment.entity.js';
import { DeploymentLookup } from './deployment-lookup.service.js';

/** Apart from deployments, because channels need it, and deployments need channels. */
@Module({
  imports: [TypeOrmModule.forFeature([Deployment])],
  providers: [DeploymentLookup],
  exports: [DeploymentLookup],
})
export class DeploymentLookupModule {}
