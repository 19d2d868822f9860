import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import type { NextFunction, Request, Response } from 'express';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';
import { StorageReadiness } from './storage-readiness.js';

@Module({
  imports: [TerminusModule.forRoot({ errorLogStyle: 'json' })],
  controllers: [HealthController],
  providers: [Readiness, StorageReadiness],
})
export class HealthModule implements NestModule {
  constructor(private readonly readiness: Readiness) {}

  /** During shutdown every response closes its connection, so that none outlives the listener. */
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((_request: Request, response: Response, next: NextFunction) => {
        if (this.readiness.isShuttingDown) response.setHeader('Connection', 'close');
        next();
      })
      .forRoutes('{*path}');
  }
}
