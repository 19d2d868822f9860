import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppError, invalidField } from '../../common/errors/app-error.js';
import { DEFAULT_LIMIT } from '../../common/pagination/page-query.dto.js';
import { EventCatalogue } from '../../events/event-catalogue.js';
import { Shutdown } from '../../health/shutdown.js';
import { deletedError, otherEpochError } from './cursor-errors.js';
import { type FeedPosition, positionOf } from './cursor.js';
import { type FeedCaller, FeedAccessService } from './feed-access.service.js';
import type { FeedFilter } from './feed-filter.js';
import { type FeedPage, FeedReader } from './feed-reader.js';
import { FeedReaders } from './feed-readers.js';
import { type FeedEvent, FeedQueries, type FeedSelection } from './feed.queries.js';
import type { ReadFeedQuery } from './feed.dto.js';
import type { Visibility } from './visibility.js';

/** Positions that one statement looks at, and statements of one request, when no index finds the events that it wants. */
const SCAN = 5000;
const SCANS = 20;

/**
 * How long a request waits while the process stops, in milliseconds, so that programs do not send the next one
 * immediately.
 */
const STOPPING_WAIT = 1000;

/** Reads the events of an organization, and waits for them. */
@Injectable()
export class FeedService implements OnModuleInit {
  constructor(
    private readonly queries: FeedQueries,
    private readonly access: FeedAccessService,
    private readonly readers: FeedReaders,
    private readonly catalogue: EventCatalogue,
    private readonly shutdown: Shutdown,
  ) {}

  onModuleInit(): void {
    this.shutdown.signal.addEventListener('abort', () => this.readers.endAll());
  }

  /**
   * The events after a cursor that the caller may see, or those before it, newest first.
   *
   * @param gone aborted when the client leaves
   * @throws InvalidRequestError when the cursor is not one of the organization, or a type is unknown
   * @throws GoneError when the retention has deleted events after the cursor, or it is from another epoch
   * @throws TooManyReadersError
   * @throws UnauthenticatedError when the token was revoked while the request waited
   */
  async read(reader: FeedCaller, query: ReadFeedQuery, gone: AbortSignal): Promise<FeedPage> {
    const filter = this.filterOf(query);
    const limit = query.limit ?? DEFAULT_LIMIT;
    requireOneOrder(query);
    if (query.order === 'newest') return this.readNewest(reader, query, filter);
    const waiting = new FeedReader(reader, filter, limit);
    const wait = query.wait ?? 0;
    if (wait === 0)
      return this.readNow(waiting, await this.startOf(reader, query), await this.access.visibilityOf(reader));
    this.readers.join(waiting);
    try {
      return await this.readOrWait(waiting, query, performance.now() + wait * 1000, gone);
    } finally {
      this.readers.leave(waiting);
    }
  }

  private async readOrWait(
    waiting: FeedReader,
    query: ReadFeedQuery,
    deadline: number,
    gone: AbortSignal,
  ): Promise<FeedPage> {
    waiting.beginReading();
    let start = await this.startOf(waiting.feedCaller, query);
    let visibility = await this.access.visibilityOf(waiting.feedCaller);
    for (;;) {
      const page = await this.readNow(waiting, start, visibility);
      const left = deadline - performance.now();
      if (page.events.length > 0 || page.hasMore || left <= 0) return page;
      if (this.shutdown.hasBegun) {
        await sleep(STOPPING_WAIT, undefined, { signal: gone }).catch(() => undefined);
        return page;
      }
      const result = await waiting.wait(page, left, gone);
      if (result instanceof AppError) throw result;
      const { epoch, position } = waiting;
      if (result === 'over') return { events: [], epoch, position, hasMore: false };
      if (result !== 'again') return result;
      waiting.beginReading();
      start = { epoch, position };
      visibility = await this.checkAgain(waiting.feedCaller);
    }
  }

  /** Looks at all events from a position on, as far as that takes few statements. */
  private async readNow(
    { feedCaller: { organizationId }, filter, limit }: FeedReader,
    start: FeedPosition,
    visibility: Visibility,
  ): Promise<FeedPage> {
    const bounds = await this.queries.boundsOf(organizationId);
    const { epoch, position: end } = bounds;
    if (start.epoch !== epoch) throw otherEpochError(bounds);
    const selection = selectionOf(filter, visibility);
    let position = selection.types.length === 0 ? Math.max(start.position, end) : start.position;
    for (let scans = 0; scans < SCANS && position < end; scans++) {
      const upTo = Math.min(end, position + scanOf(filter));
      const events = await this.queries.read(organizationId, { after: position, upTo, limit }, selection);
      position = events.length < limit ? upTo : (events.at(-1)?.position ?? upTo);
      if (events.length > 0) return { events, epoch, position, hasMore: position < end };
    }
    return { events: [], epoch, position, hasMore: position < end };
  }

  /** As `readNow`, from the end or from `before` back. */
  private async readNewest(
    reader: FeedCaller,
    { before, limit = DEFAULT_LIMIT }: ReadFeedQuery,
    filter: FeedFilter,
  ): Promise<FeedPage> {
    const { organizationId } = reader;
    const bounds = await this.queries.boundsOf(organizationId);
    const { epoch, position: end, deletedPosition } = bounds;
    const selection = selectionOf(filter, await this.access.visibilityOf(reader));
    const start = before === undefined ? { epoch, position: end + 1 } : positionOf(before, organizationId);
    if (start === null)
      throw invalidField('before', 'before must be the cursor of a response of this organization.');
    if (start.epoch !== epoch) throw otherEpochError(bounds);
    // The first position that was looked at.
    let position = Math.min(start.position, end + 1);
    let events: readonly FeedEvent[] = [];
    for (let scans = 0; scans < SCANS && position > deletedPosition + 1 && events.length === 0; scans++) {
      const after = Math.max(deletedPosition, position - 1 - scanOf(filter));
      const range = { after, upTo: position - 1, limit };
      events = await this.queries.read(organizationId, range, selection, true);
      position = events.length < limit ? after + 1 : (events.at(-1)?.position ?? after + 1);
    }
    return { events, epoch, position, hasMore: position > deletedPosition + 1 };
  }

  /** The position after which the caller reads. */
  private async startOf(
    { organizationId }: FeedCaller,
    { cursor, start }: ReadFeedQuery,
  ): Promise<FeedPosition> {
    const bounds = await this.queries.boundsOf(organizationId);
    const { epoch, position, deletedPosition } = bounds;
    if (cursor === undefined) return { epoch, position: start === 'latest' ? position : deletedPosition };
    const after = positionOf(cursor, organizationId);
    if (after === null)
      throw invalidField('cursor', 'cursor must come from a response of this organization.');
    if (after.epoch !== epoch) throw otherEpochError(bounds);
    // Above the last one: the database is a copy from an earlier time, and no new epoch was begun.
    if (after.position < deletedPosition || after.position > position) throw deletedError(bounds);
    return after;
  }

  private async checkAgain(reader: FeedCaller): Promise<Visibility> {
    const [found] = await this.access.readAgain([reader]);
    return this.access.authorize(found);
  }

  private filterOf({ types, appId, channelId, objectId }: ReadFeedQuery): FeedFilter {
    const unknown = types?.find((type) => this.catalogue.find(type) === undefined);
    if (unknown !== undefined)
      throw invalidField('types', `types must be types of events: ${unknown} is none.`);
    return {
      types: types === undefined ? null : new Set(types),
      appId: appId?.toLowerCase() ?? null,
      channelId: channelId?.toLowerCase() ?? null,
      objectIds: objectId ?? null,
    };
  }
}

/** What the reader wants and may see. */
function selectionOf(filter: FeedFilter, { types, appIds }: Visibility): FeedSelection {
  return {
    ...filter,
    types: [...types].filter((type) => filter.types === null || filter.types.has(type)),
    visibleAppIds: appIds === null ? null : [...appIds],
  };
}

/** How many positions one statement looks at. An index finds the events of an object, however many others lie between. */
function scanOf({ objectIds }: FeedFilter): number {
  return objectIds === null ? SCAN : Infinity;
}

/** @throws InvalidRequestError for parameters of the other order */
function requireOneOrder({ order = 'oldest', ...query }: ReadFeedQuery): void {
  const others = order === 'newest' ? (['cursor', 'start', 'wait'] as const) : (['before'] as const);
  const other = others.find((name) => query[name] !== undefined);
  if (other !== undefined) throw invalidField(other, `${other} must be absent with order=${order}.`);
}
