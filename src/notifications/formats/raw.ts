import type { DeliverableEvent } from './deliverable-event.js';

/**
 * The event for programs: `event` and `data` as in the contract, and what else identifies and orders events. Contains
 * no names of people.
 */
export function rawMessage(event: DeliverableEvent): object {
  return {
    event: event.type,
    data: event.data,
    id: event.id,
    createdAt: event.createdAt,
    organizationId: event.organizationId,
    appId: event.appId,
    position: event.position,
  };
}
