import type { EventCatalogue } from '../../events/event-catalogue.js';
import type { EventDefinition, Notice } from '../../events/event-definition.js';

/** A kind of event that has mails. */
export type NoticedDefinition = EventDefinition & { readonly notice: Notice };

/** @returns `null`: the kind has no mails, or no longer exists */
export function noticedDefinition(catalogue: EventCatalogue, type: string): NoticedDefinition | null {
  const definition = catalogue.find(type);
  return definition !== undefined && isNoticed(definition) ? definition : null;
}

function isNoticed(definition: EventDefinition): definition is NoticedDefinition {
  return definition.notice !== undefined;
}
