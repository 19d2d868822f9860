import type { EventDefinition } from './event-definition.js';

/** All kinds of events, by type. A class only so that it can be injected. */
export class EventCatalogue {
  private readonly definitions: ReadonlyMap<string, EventDefinition>;

  /** @throws Error when two kinds have one type */
  constructor(definitions: readonly EventDefinition[]) {
    this.definitions = new Map(definitions.map((definition) => [definition.type, definition]));
    if (this.definitions.size < definitions.length) throw new Error('Two kinds of events have one type.');
  }

  /** In alphabetical order of their types. */
  get all(): EventDefinition[] {
    return [...this.definitions.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
  }

  /** `undefined`: there is no such kind, or it was removed. */
  find(type: string): EventDefinition | undefined {
    return this.definitions.get(type);
  }
}
