import type { Type } from '@nestjs/common';
import type { RolePermission } from '../common/access/permissions.js';

/** Labels and values; `null` is left out. */
export type EventFacts = Readonly<Record<string, string | number | null>>;

/** A kind of event. Each area declares its kinds in `*.events.ts`; `src/event-types.ts` lists these files. */
export interface EventDefinition<Data extends object = object> {
  /** As on the wire, in snake case: `app_channel_paused`. Never changes. */
  readonly type: string;
  /** What people call it, in a few words: `Channel paused`. */
  readonly title: string;
  /** When it happens, in a sentence. */
  readonly description: string;
  /** The permission that lets a member see such events of an app that it sees, or of its organization. */
  readonly permission: RolePermission;
  /** Whether it is about one app, or about the organization. Apps' webhooks get the first kind only. */
  readonly of: 'app' | 'organization';
  /** The class that documents `data`: its OpenAPI schema is the schema of the event. */
  readonly data: Type<Data>;
  /**
   * What chats and mails show of it, besides the title and the app: labels and values. The values may be written by
   * users: who shows them escapes them.
   *
   * @example (data) => ({ Channel: data.channelName, Share: '25 %' })
   */
  facts(data: Data): EventFacts;
  /** Whether a person should look at it. @default 'info' */
  readonly severity?: 'info' | 'warning' | 'critical';
}

/** Declares a kind of event. */
export function defineEvent<Data extends object>(definition: EventDefinition<Data>): EventDefinition<Data> {
  return definition;
}
