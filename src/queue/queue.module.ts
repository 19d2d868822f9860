import { Global, Module } from '@nestjs/common';
import { CapacityUses } from './capacity-uses.js';
import { CapacityUsesQueries } from './capacity-uses.queries.js';
import { QueueService } from './queue.service.js';
import { SuspensionsQueries } from './suspensions.queries.js';

/** Jobs in the background, and who uses what they share. */
@Global()
@Module({
  providers: [QueueService, SuspensionsQueries, CapacityUsesQueries, CapacityUses],
  exports: [QueueService],
})
export class QueueModule {}
