import { Injectable } from '@nestjs/common';
import { type EventOwner, EventsQueries } from './events.queries.js';

/**
 * States that have one event when they begin. Periodic checks raise them at a threshold, and clear them at a lower one,
 * so that a value that swings around the threshold makes no second event.
 */
@Injectable()
export class EventConditions {
  constructor(private readonly queries: EventsQueries) {}

  /**
   * Begins a state. Call it in the transaction that records its event.
   *
   * @param threshold what was crossed, such as `0.8`; empty: there is only one
   * @returns whether it begins now: only then record the event. `false`: it has begun before, on any server
   */
  raise(objectId: string, kind: string, threshold: string, owner: EventOwner): Promise<boolean> {
    return this.queries.raise(objectId, kind, threshold, owner);
  }

  /** Those of the objects that are not in a state. */
  notRaised(objectIds: readonly string[], kind: string, threshold: string): Promise<string[]> {
    return this.queries.notRaised(objectIds, kind, threshold);
  }

  /** Ends states, so that they can begin again. */
  clear(objectId: string, kind: string, thresholds: readonly string[]): Promise<void> {
    return this.queries.clear(objectId, kind, thresholds);
  }

  /**
   * Ends states that are over, so that they can begin again, and those of objects that are gone.
   *
   * @param isOver a condition of SQL on `event_conditions AS state`, such as that its object does not exist
   * @param parameters from `$3` on
   */
  clearWhere(
    kind: string,
    threshold: string,
    isOver: string,
    parameters: readonly unknown[] = [],
  ): Promise<void> {
    return this.queries.clearWhere(kind, threshold, isOver, parameters);
  }
}
