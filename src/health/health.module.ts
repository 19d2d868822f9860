import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';
import { ReadinessQueries } from './readiness.queries.js';
import { Shutdown } from './shutdown.js';
import { StorageReadiness } from './storage-readiness.js';

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [Readiness, ReadinessQueries, Shutdown, StorageReadiness],
  exports: [Shutdown],
})
export class HealthModule {}
