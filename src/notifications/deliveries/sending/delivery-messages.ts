import { Injectable } from '@nestjs/common';
import { EventCatalogue } from '../../../events/event-catalogue.js';
import type { DeliverableEvent } from '../../formats/deliverable-event.js';
import type { PendingDelivery } from './delivery-runs.queries.js';
import type { TestPayload } from './test-payload.js';

/** Turns deliveries into what the formats send. */
@Injectable()
export class DeliveryMessages {
  constructor(private readonly catalogue: EventCatalogue) {}

  /** @returns `null`: the event has been deleted */
  of({
    eventId,
    event,
    testPayload,
  }: Pick<PendingDelivery, 'eventId' | 'event' | 'testPayload'>): DeliverableEvent | null {
    if (testPayload !== null) return ofTest(testPayload as TestPayload);
    if (event === null) return null;
    // A kind that this version does not know comes from a newer server.
    const definition = this.catalogue.find(event.type);
    return {
      ...event,
      id: eventId,
      createdAt: event.createdAt.toISOString(),
      title: definition?.title ?? event.type,
      description: definition?.description ?? '',
      severity: definition?.severity ?? 'info',
      facts: definition?.facts(event.data) ?? {},
    };
  }
}

function ofTest({ event, ...payload }: TestPayload): DeliverableEvent {
  return {
    ...payload,
    type: event,
    title: 'Test of a webhook',
    description: 'A person has tested whether deliveries arrive.',
    severity: 'info',
    facts: { Webhook: payload.data.webhookName },
    appName: null,
    userName: null,
  };
}
