import type { EventFacts } from '../../events/event-definition.js';

/** An event with everything that the formats of webhooks need. */
export interface DeliverableEvent {
  /** UUID: the same in all attempts and for all webhooks. */
  readonly id: string;
  /** Such as `app_channel_paused`. */
  readonly type: string;
  /** What people call its kind, such as `Channel paused`. */
  readonly title: string;
  /** When events of its kind happen, in a sentence. */
  readonly description: string;
  readonly severity: 'info' | 'warning' | 'critical';
  /** What chats show. The values may be written by users. */
  readonly facts: EventFacts;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  readonly organizationId: string;
  /** `null`: about the organization itself. */
  readonly appId: string | null;
  /** What it is about. */
  readonly objectId: string;
  /** `null`: it concerns no channel. */
  readonly channelId: string | null;
  /** Who caused it; `null`: no user. */
  readonly userId: string | null;
  /** `null`: no app, or it has been deleted. */
  readonly appName: string | null;
  /** Who caused it, by name; `null`: no user, or it is gone. */
  readonly userName: string | null;
  /** In which it got its position; `null`: in the first one. */
  readonly epoch: string | null;
  /** In the organization, from 1. */
  readonly position: number;
  readonly data: object;
}
