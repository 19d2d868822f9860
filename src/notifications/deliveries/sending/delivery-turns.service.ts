import { Injectable } from '@nestjs/common';
import { DeliveryAttempts, type OpenRun } from './delivery-attempts.service.js';
import { DeliveryRunsQueries, type PendingDelivery } from './delivery-runs.queries.js';
import { ObjectsAsideQueries } from './objects-aside.queries.js';
import { isWell, type ReceiverState } from './receiver-state.js';

/** What has its turn in a run besides the deliveries in their order. The run changes it. */
export interface Turns {
  /** Deliveries that users want to be sent now. */
  urgentIds: readonly string[];
  /** Objects that are set aside, and due. */
  dueIds: readonly string[];
  /** Whether such an object is before the others. */
  isTurnOfAside: boolean;
}

/** Chooses the next delivery of a run. Those in their order and those that are set aside take turns. */
@Injectable()
export class DeliveryTurns {
  constructor(
    private readonly queries: DeliveryRunsQueries,
    private readonly aside: ObjectsAsideQueries,
    private readonly attempts: DeliveryAttempts,
  ) {}

  /** @returns `undefined`: there is none, or the run has ended */
  next(run: OpenRun, turns: Turns, state: ReceiverState): Promise<PendingDelivery | undefined> {
    return this.attempts.inTurn(run.webhook, () => this.choose(run, turns, state));
  }

  private async choose(
    run: OpenRun,
    turns: Turns,
    state: ReceiverState,
  ): Promise<PendingDelivery | undefined> {
    const urgent = await this.nextUrgent(run, turns);
    if (urgent !== undefined) return urgent;
    // What is set aside rests while the receiver does not work.
    const isAsideFirst = turns.isTurnOfAside && isWell(state);
    turns.isTurnOfAside = !isAsideFirst;
    if (!isAsideFirst) return (await this.nextInOrder(run)) ?? this.nextAside(run, turns);
    return (await this.nextAside(run, turns)) ?? this.nextInOrder(run);
  }

  private async nextUrgent({ job, webhook }: OpenRun, turns: Turns): Promise<PendingDelivery | undefined> {
    for (;;) {
      const [id, ...urgentIds] = turns.urgentIds;
      if (id === undefined) return undefined;
      turns.urgentIds = urgentIds;
      const delivery = await this.queries.findFirst(job, webhook.version, id);
      if (delivery !== undefined) return delivery;
    }
  }

  private async nextInOrder({ job, webhook }: OpenRun): Promise<PendingDelivery | undefined> {
    for (;;) {
      const delivery = await this.queries.findNext(job, webhook.version);
      if (delivery === undefined || !delivery.isAside) return delivery;
      // It came after its object was set aside.
      await this.aside.hide(webhook.id, delivery.objectId);
    }
  }

  private async nextAside({ job, webhook }: OpenRun, turns: Turns): Promise<PendingDelivery | undefined> {
    for (;;) {
      const [objectId, ...dueIds] = turns.dueIds;
      if (objectId === undefined) return undefined;
      turns.dueIds = dueIds;
      const delivery = await this.queries.findNextOf(job, webhook.version, objectId);
      if (delivery !== undefined) return delivery;
      await this.aside.release(webhook.id, objectId);
    }
  }
}
