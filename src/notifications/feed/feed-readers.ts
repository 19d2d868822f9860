import { Injectable } from '@nestjs/common';
import type { FeedReader } from './feed-reader.js';
import { OpenRequests } from './open-requests.js';

/** The requests that read events and wait for them at this server. */
@Injectable()
export class FeedReaders {
  private readonly requests = new OpenRequests<FeedReader>(
    'event-waits',
    (limit, whose) => `${limit} requests of ${whose} wait for events already`,
    'read without wait',
  );

  get size(): number {
    return this.requests.size;
  }

  /** @throws AppError 429: as many requests wait as may */
  join(reader: FeedReader): void {
    this.requests.join(reader);
  }

  leave(reader: FeedReader): void {
    this.requests.leave(reader);
  }

  /** Organizations that have readers. */
  get organizationIds(): string[] {
    return this.requests.organizationIds;
  }

  /** The readers of an organization that have read everything and wait. */
  waitingIn(organizationId: string): FeedReader[] {
    return this.requests.of(organizationId).filter(({ isWaiting }) => isWaiting);
  }

  /** Says that there are new events in an organization. @returns whether it has readers */
  signal(organizationId: string): boolean {
    for (const reader of this.requests.of(organizationId)) reader.signal();
    return this.requests.has(organizationId);
  }

  /** Ends all waits, without events. */
  endAll(): void {
    for (const reader of this.requests.all()) reader.settle('over');
  }
}
