import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { EVENTS } from '../database/change-signals.js';
import { transaction } from '../database/transactions/transaction.js';
import type { EventEpoch } from './event-epoch.entity.js';
import { EventEpochsQueries } from './event-epochs.queries.js';
import { EventLogQueries } from './event-log.queries.js';

/** Begins epochs of positions. See docs/events.md. */
@Injectable()
export class EventEpochs {
  constructor(
    private readonly queries: EventEpochsQueries,
    private readonly log: EventLogQueries,
  ) {}

  /** Ends the cursors of all readers, on all servers. No batch of the dispatcher has two epochs. */
  begin(): Promise<EventEpoch> {
    return transaction(async () => {
      await this.log.lock();
      const createdAt = await this.queries.nextTime();
      const epoch = { id: uuid({ msecs: createdAt.getTime() }), createdAt };
      await this.queries.insert(epoch);
      await this.log.announce(EVENTS, '');
      return epoch;
    });
  }
}
