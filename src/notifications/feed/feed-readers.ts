import { Injectable } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import type { FeedReader } from './feed-reader.js';

/** Seconds after which a request that waits may have ended. */
const RETRY_AFTER = 5;

/** 429: as many requests wait for events as may. */
class TooManyReadersError extends AppError {
  override readonly headers: Readonly<Record<string, string>> = { 'Retry-After': String(RETRY_AFTER) };

  /** @param whose whose requests they are, such as `the organization` */
  constructor(limit: number, whose: string) {
    super(
      `${limit} requests of ${whose} wait for events already. Try again in ${RETRY_AFTER} seconds, or read without wait.`,
      'rate_limited',
    );
  }
}

/** Requests of one user, and of one organization, that may wait at this server. */
const PER_USER = 20;
const PER_ORGANIZATION = 200;

/** The requests that read events and wait for them at this server. */
@Injectable()
export class FeedReaders {
  private readonly byOrganization = new Map<string, Set<FeedReader>>();
  /** How many each user has. */
  private readonly ofUsers = new Map<string, number>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** @throws TooManyReadersError */
  join(reader: FeedReader): void {
    const { organizationId, caller } = reader.feedCaller;
    const { userId } = caller.principal;
    const others = this.byOrganization.get(organizationId) ?? new Set();
    const own = this.ofUsers.get(userId) ?? 0;
    if (own >= PER_USER) throw new TooManyReadersError(PER_USER, 'your user');
    if (others.size >= PER_ORGANIZATION) throw new TooManyReadersError(PER_ORGANIZATION, 'the organization');
    this.byOrganization.set(organizationId, others.add(reader));
    this.ofUsers.set(userId, own + 1);
    this.count++;
  }

  leave(reader: FeedReader): void {
    const { organizationId, caller } = reader.feedCaller;
    const { userId } = caller.principal;
    const readers = this.byOrganization.get(organizationId);
    if (readers?.delete(reader) !== true) return;
    if (readers.size === 0) this.byOrganization.delete(organizationId);
    const own = (this.ofUsers.get(userId) ?? 0) - 1;
    if (own > 0) this.ofUsers.set(userId, own);
    else this.ofUsers.delete(userId);
    this.count--;
  }

  /** Organizations that have readers. */
  get organizationIds(): string[] {
    return [...this.byOrganization.keys()];
  }

  /** The readers of an organization that have read everything and wait. */
  waitingIn(organizationId: string): FeedReader[] {
    return [...(this.byOrganization.get(organizationId) ?? [])].filter(({ isWaiting }) => isWaiting);
  }

  /** Says that there are new events in an organization. @returns whether it has readers */
  signal(organizationId: string): boolean {
    const readers = this.byOrganization.get(organizationId);
    for (const reader of readers ?? []) reader.signal();
    return readers !== undefined;
  }

  /** Ends all waits, without events. */
  endAll(): void {
    for (const readers of this.byOrganization.values()) {
      for (const reader of readers) reader.settle('over');
    }
  }
}
