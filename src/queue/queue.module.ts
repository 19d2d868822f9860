import { Global, Module } from '@nestjs/common';
import { QueueService } from './queue.service.js';

/** Background work; `main.ts` starts it. */
@Global()
@Module({ providers: [QueueService], exports: [QueueService] })
export class QueueModule {}
