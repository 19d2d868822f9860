import { Injectable } from '@nestjs/common';
import { transaction } from '../database/transactions/transaction.js';
import { EventConditions } from './event-conditions.service.js';
import type { EventDefinition } from './event-definition.js';
import type { EventOwner } from './events.queries.js';
import { EventsService, type Happening } from './events.service.js';

/** Records events of states with several thresholds, such as the days until something expires: one for each that is crossed. */
@Injectable()
export class ThresholdEvents {
  constructor(
    private readonly events: EventsService,
    private readonly conditions: EventConditions,
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
}
