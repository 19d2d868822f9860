import { Global, Module } from '@nestjs/common';
import { QueueService } from './queue.service.js';

/** Jobs in the background. */
@Global()
@Module({ providers: [QueueService], exports: [QueueService] })
export class QueueModule {}
