import type { EventDefinition } from './events/event-definition.js';

/** Every kind of event. An explicit list, because a bundle has no files to search. */
export const eventTypes: readonly EventDefinition[] = [];
