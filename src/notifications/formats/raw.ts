import type { DeliverableEvent } from './deliverable-event.js';

/**
 * The event for programs: as in the feed, and with `event` of the contract, which also has `data`. Contains no names of
 * people.
 */
export function rawMessage(event: DeliverableEvent): object {
  return {
    event: event.type,
    data: event.data,
    type: event.type,
    id: event.id,
    epoch: event.epoch,
    position: event.position,
    createdAt: event.createdAt,
    organizationId: event.organizationId,
    appId: event.appId,
    objectId: event.objectId,
    channelId: event.channelId,
    userId: event.userId,
  };
}
