import { Module } from '@nestjs/common';
import { DispatchService } from './dispatch.service.js';
import { DispatchedEvents } from './dispatched-events.js';
import { Dispatcher } from './dispatcher.js';
import { DispatcherMetrics } from './dispatcher-metrics.js';

@Module({
  providers: [DispatchedEvents, DispatchService, Dispatcher, DispatcherMetrics],
  exports: [DispatchedEvents],
})
export class DispatcherModule {}
