import { Module } from '@nestjs/common';
import { DispatchedEvents } from './dispatched-events.js';

@Module({ providers: [DispatchedEvents], exports: [DispatchedEvents] })
export class DispatcherModule {}
