import { Global, Module } from '@nestjs/common';
import { QueueService } from './queue.service.js';
import { SuspensionsQueries } from './suspensions.queries.js';

/** Jobs in the background. */
@Global()
@Module({ providers: [QueueService, SuspensionsQueries], exports: [QueueService] })
export class QueueModule {}
