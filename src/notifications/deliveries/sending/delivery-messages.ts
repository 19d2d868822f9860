import { Injectable, Logger } from '@nestjs/common';
import { EventCatalogue } from '../../../events/event-catalogue.js';
import type { EventDefinition, EventFacts } from '../../../events/event-definition.js';
import type { DeliverableEvent } from '../../formats/deliverable-event.js';
import type { PendingDelivery } from './delivery-runs.queries.js';
import type { TestPayload } from './test-payload.js';

/** Turns deliveries into what the formats send. */
@Injectable()
export class DeliveryMessages {
  private readonly logger = new Logger(DeliveryMessages.name);

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
      facts: definition === undefined ? {} : this.factsOf(definition, event.data),
    };
  }

  /** None when the data is that of another version: chats show the event without them, and programs do not get them. */
  private factsOf({ type, facts }: EventDefinition, data: object): EventFacts {
    try {
      return facts(data);
    } catch (err) {
      this.logger.warn({ err, type }, 'An event is shown without facts');
      return {};
    }
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
    objectId: payload.data.webhookId,
    channelId: null,
    userId: null,
    epoch: null,
    appName: null,
    userName: null,
  };
}
