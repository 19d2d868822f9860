import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { currentActor } from '../database/transactions/actor.js';
import { afterCommit } from '../database/transactions/transaction.js';
import type { EventDefinition } from './event-definition.js';
import { type EventOwner, EventsQueries } from './events.queries.js';
import { fitData } from './fit-data.js';

/** What happened: the owner, the object, and what others may know. */
export type Happening<Data extends object> = EventOwner & {
  readonly objectId: string;
  /** The channel that it concerns. @default null */
  readonly channelId?: string | null;
  /** Who caused it. @default the user of the running request */
  readonly userId?: string | null;
  /** A response object as it is now; dates as texts. */
  readonly data: Data;
};

/** Records events in the transactions of changes. */
@Injectable()
export class EventsService {
  private recorded: () => void = () => {};

  constructor(private readonly queries: EventsQueries) {}

  /** What to call after the commit of each transaction with events. There is one: the dispatcher. */
  whenRecorded(listener: () => void): void {
    this.recorded = listener;
  }

  /**
   * Records an event. Call it in the transaction of the change, after its object is written or locked: then the events of
   * an object are in the order of its changes. It waits for nothing.
   *
   * @throws Error outside of transactions
   */
  async record<Data extends object>(
    { type }: EventDefinition<Data>,
    { objectId, channelId = null, userId = currentActor()?.userId ?? null, data, ...owner }: Happening<Data>,
  ): Promise<void> {
    afterCommit(() => this.recorded());
    const values = { id: uuid(), type, objectId, channelId, userId, data: fitData(data) };
    await this.queries.insert({ ...values, ...(owner as EventOwner) });
  }
}
