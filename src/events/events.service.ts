import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { currentActor } from '../database/transactions/actor.js';
import { afterCommit } from '../database/transactions/transaction.js';
import type { EventDefinition } from './event-definition.js';
import { type EventOwner, EventsQueries } from './events.queries.js';

/** The largest `data` of an event, in bytes of JSON: with what stands beside it, an event has at most 64 kB. */
export const MAX_DATA_BYTES = 60_000;

/** Texts are not cut below this length. */
const SHORTEST = 20;

/** In JSON: what PostgreSQL takes in no text of `jsonb`, half of a surrogate pair and NUL. May find more than there is. */
const MAY_BE_UNSTORABLE = /\\u(?:d[89a-f]|0000)/;

/** What happened: the owner, the object, and what others may know. */
export type Happening<Data extends object> = EventOwner & {
  readonly objectId: string;
  /** The channel that it concerns. @default null */
  readonly channelId?: string | null;
  /** Who caused it. @default the user of the running request; none where an automation acts as that user */
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
    { objectId, channelId = null, userId = askedBy(), data, ...owner }: Happening<Data>,
  ): Promise<void> {
    afterCommit(() => this.recorded());
    const values = { id: uuid(), type, objectId, channelId, userId, data: fitData(data) };
    await this.queries.insert({ ...values, ...(owner as EventOwner) });
  }
}

function askedBy(): string | null {
  const actor = currentActor();
  return actor === null || actor.isAutomated === true ? null : actor.userId;
}

/**
 * Cuts the longest texts until the data is small enough, and marks each with how long it was. A half of a surrogate pair, as
 * texts have that were cut elsewhere, becomes U+FFFD as in columns of texts, and NUL is left out: no change fails because of
 * its event.
 *
 * @param data JSON
 * @throws Error when it is too large without long texts
 */
export function fitData<Data extends object>(data: Data, maxBytes = MAX_DATA_BYTES): Data {
  const isStorable = !MAY_BE_UNSTORABLE.test(JSON.stringify(data));
  const storable = isStorable ? data : (mapTexts(data, toStorable) as Data);
  let fitted = storable;
  for (
    let length = maxBytes;
    Buffer.byteLength(JSON.stringify(fitted)) > maxBytes;
    length = Math.floor(length / 2)
  ) {
    if (length < SHORTEST) throw new Error('The data of an event is too large.');
    fitted = mapTexts(storable, (text) => cut(text, length)) as Data;
  }
  return fitted;
}

/** As `value`, with other texts. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}

function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** At most `length` characters and a mark. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${cleanCut(text, length)}… (cut, ${text.length} characters)`;
}

/** Leaves no half of a surrogate pair. */
function cleanCut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
