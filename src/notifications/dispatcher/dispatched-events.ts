import { Injectable } from '@nestjs/common';
import { Listeners } from '../../common/listeners.js';
import type { DispatchedEvent } from '../../events/event-log.queries.js';

export type { DispatchedEvent };

/** What follows events: deliveries and mails. */
@Injectable()
export class DispatchedEvents {
  /**
   * Events got their positions; in the order of these, those of several organizations mixed. In the transaction of the
   * dispatcher, of which there is one for all servers: listeners write rows and jobs, in few statements for any number of
   * events. When one fails, all events are tried again, and if that does not help, one by one: an event whose listeners
   * fail alone has its position, but nothing follows it.
   */
  readonly numbered = new Listeners<[events: readonly DispatchedEvent[]]>();
}
