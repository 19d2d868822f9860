import { Injectable } from '@nestjs/common';
import { transaction } from '../database/transactions/transaction.js';
import { crossedUpTo, type Expiring, type ExpiryThreshold } from './expiry.js';
import { EventConditionsQueries } from './event-conditions.queries.js';
import type { EventDefinition } from './event-definition.js';
import type { EventOwner } from './events.queries.js';
import { EventsService, type Happening } from './events.service.js';

/** Objects that one statement finds. */
const EXPIRING_BATCH = 200;

/** How the objects of a kind are found that expire. */
export interface ExpiryCheck<Data extends object, Row extends Expiring> {
  readonly definition: EventDefinition<Data>;
  /** Of the state, such as `certificate-expiring`. */
  readonly kind: string;
  readonly thresholds: readonly ExpiryThreshold[];
  /** Finds those without an event for the threshold that they have crossed: see `newlyExpiring`. */
  readonly find: (kind: string, size: number) => Promise<readonly Row[]>;
  /** See `isNotExpiring`. */
  readonly isOver: (threshold: ExpiryThreshold) => string;
  readonly happeningOf: (row: Row) => Happening<Data>;
}

/** Records events of states with several thresholds, such as the days until something expires: one for each that is crossed. */
@Injectable()
export class ThresholdEvents {
  constructor(
    private readonly events: EventsService,
    private readonly conditions: EventConditionsQueries,
  ) {}

  /**
   * Records an event if the strictest of the crossed thresholds was not crossed before. Several that are crossed at once
   * have one event together.
   *
   * @param kind of the state, such as `certificate-expiring`
   * @param crossed all thresholds that are crossed now, the strictest last
   * @returns whether it has recorded the event
   */
  cross<Data extends object>(
    definition: EventDefinition<Data>,
    kind: string,
    crossed: readonly string[],
    happening: Happening<Data>,
  ): Promise<boolean> {
    const { objectId } = happening;
    return transaction(async () => {
      let begins = false;
      for (const threshold of crossed) {
        begins = await this.conditions.raise(objectId, kind, threshold, happening as EventOwner);
      }
      if (begins) await this.events.record(definition, happening);
      return begins;
    });
  }

  /**
   * As `cross`, for all objects that expire soon; and ends the states of those that no longer do.
   *
   * @param thresholds the strictest last
   */
  async crossExpiring<Data extends object, Row extends Expiring>({
    definition,
    kind,
    thresholds,
    find,
    isOver,
    happeningOf,
  }: ExpiryCheck<Data, Row>): Promise<void> {
    for (const threshold of thresholds) {
      await this.conditions.clearWhere(kind, threshold.name, isOver(threshold));
    }
    for (let found = EXPIRING_BATCH; found === EXPIRING_BATCH;) {
      const rows = await find(kind, EXPIRING_BATCH);
      found = rows.length;
      for (const row of rows) {
        await this.cross(definition, kind, crossedUpTo(thresholds, row.threshold), happeningOf(row));
      }
    }
  }
}
