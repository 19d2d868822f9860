import { Injectable } from '@nestjs/common';
import { Listeners } from '../../common/listeners.js';
import type { RecordedEvent } from '../../events/event.entity.js';

/** An event that has its position. */
export type DispatchedEvent = Omit<RecordedEvent, 'position'> & { readonly position: number };

/** What follows events: deliveries and mails. */
@Injectable()
export class DispatchedEvents {
  /**
   * Events got their positions; in the order of these, those of several organizations mixed. In the transaction of the
   * dispatcher, of which there is one for all servers: listeners write rows and jobs, in few statements for any number of
   * events.
   */
  readonly numbered = new Listeners<[events: readonly DispatchedEvent[]]>();
}
