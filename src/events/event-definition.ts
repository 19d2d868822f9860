import type { Type } from '@nestjs/common';
import type { RolePermission } from '../common/access/permissions.js';

/** Labels and values; `null` is left out. */
export type EventFacts = Readonly<Record<string, string | number | null>>;

/** What users switch mails on and off by. */
export const noticeKinds = ['approvals', 'health', 'webhooks'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The mail about an event. See docs/notices.md. */
export interface Notice<Data extends object = object> {
  /** The switch of users for such mails. */
  readonly kind: NoticeKind;
  /**
   * Who gets it, among the members who may see the app, other than who caused the event. `readers`: those who may see the
   * event; `approvers`: those who may still approve the deployment that is its object; `requester`: who has created that
   * deployment; `user`: the one that `userId` of its data names.
   */
  readonly to: 'readers' | 'approvers' | 'requester' | 'user';
  /** Which events of the kind have mails. @default all */
  when?(data: Data): boolean;
  /** What to do, in a sentence. */
  readonly advice: string;
  /** Path of the GET request that shows what it is about. */
  path(event: NoticedEvent<Data>): string;
  /** Path of the page that shows what it is about, and where it is done. @default there is no page */
  page?(event: NoticedEvent<Data>): string | null;
}

/** What the addresses in a mail depend on. */
export interface NoticedEvent<Data extends object = object> {
  readonly organizationId: string;
  readonly appId: string | null;
  readonly objectId: string;
  readonly data: Data;
}

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
   * @example (data) => ({ Channel: data.appChannelName, Share: '25 %' })
   */
  facts(data: Data): EventFacts;
  /** Whether a person should look at it. @default 'info' */
  readonly severity?: 'info' | 'warning' | 'critical';
  /** The mail about it. @default none */
  readonly notice?: Notice<Data>;
}

/** Declares a kind of event. */
export function defineEvent<Data extends object>(definition: EventDefinition<Data>): EventDefinition<Data> {
  return definition;
}
