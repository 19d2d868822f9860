import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { AppError } from '../../common/errors/app-error.js';
import { ChangeSignals, EVENTS, type TopicListener } from '../../database/change-signals.js';
import { unavailableReason } from '../../database/outages/unavailable.js';
import { signaledOrganizations } from '../dispatcher/signal-payload.js';
import { otherEpochError } from './cursor-errors.js';
import { FeedAccessService } from './feed-access.service.js';
import { matches } from './feed-filter.js';
import type { FeedReader } from './feed-reader.js';
import { FeedReaders } from './feed-readers.js';
import { type FeedBounds, type FeedEvent, FeedQueries } from './feed.queries.js';
import { isVisible, type Visibility } from './visibility.js';

/** Events that are read at once for all readers of an organization. */
const BATCH = 200;
/** Batches of one organization before others have their turn. */
const BATCHES = 10;
/** How long it rests without a signal, in milliseconds; after that, the callers are checked again. */
const REST = 5000;
/** The same while no signals arrive, and after a failure. */
const SHORT_REST = 1000;

/**
 * Gives new events to the requests that wait for them: reads them once per organization and batch, and compares them with
 * all readers in memory. Callers are authenticated and authorized again before they get events, and every five seconds.
 */
@Injectable()
export class FeedPump extends BackgroundLoop implements OnModuleInit, TopicListener {
  /** Organizations that have new events. */
  private readonly signaled = new Set<string>();
  private isCutOff = true;
  private checkedAt = 0;

  constructor(
    private readonly readers: FeedReaders,
    private readonly queries: FeedQueries,
    private readonly access: FeedAccessService,
    private readonly topics: ChangeSignals,
  ) {
    super();
  }

  onModuleInit(): void {
    this.topics.listen(EVENTS, this);
  }

  connected(): void {
    this.isCutOff = false;
    this.signalAll(this.readers.organizationIds);
  }

  lost(): void {
    this.isCutOff = true;
    this.signalAll(this.readers.organizationIds);
  }

  notified(payload: string): void {
    this.signalAll(signaledOrganizations(payload) ?? this.readers.organizationIds);
  }

  private signalAll(organizationIds: readonly string[]): void {
    const read = organizationIds.filter((id) => this.readers.signal(id));
    for (const id of read) this.signaled.add(id);
    if (read.length > 0) this.wake();
  }

  protected override async round(stopping: AbortSignal): Promise<number> {
    try {
      const isDue = performance.now() - this.checkedAt >= REST;
      if (isDue || this.isCutOff) await this.findNew();
      // A copy: what is signaled in the meantime has its turn after the callers were checked.
      const signaled = [...this.signaled];
      for (const id of signaled) {
        if (stopping.aborted) return 0;
        this.signaled.delete(id);
        await this.deliver(id);
      }
      if (isDue) await this.checkAll();
      if (this.signaled.size > 0) return 0;
      return this.isCutOff ? SHORT_REST : REST;
    } catch (err) {
      for (const id of this.readers.organizationIds) this.signaled.add(id);
      if (unavailableReason(err) === null)
        this.logger.warn({ err }, 'Events could not be read for waiting requests');
      return SHORT_REST;
    }
  }

  /** Signals may be lost. */
  private async findNew(): Promise<void> {
    if (this.readers.size === 0) return;
    for (const bounds of await this.queries.bounds(this.readers.organizationIds)) {
      const { organizationId, position } = bounds;
      const readers = this.readers.waitingIn(organizationId);
      endOtherEpochs(readers, bounds);
      if (readers.some((reader) => reader.position < position)) this.signaled.add(organizationId);
    }
  }

  /** Ends the waits of callers who may no longer read. */
  private async checkAll(): Promise<void> {
    await this.checkAgain(this.readers.organizationIds.flatMap((id) => this.readers.waitingIn(id)));
    this.checkedAt = performance.now();
  }

  /** What readers see now. Ends the waits of the others, who may not read any more. */
  private async checkAgain(readers: readonly FeedReader[]): Promise<Map<FeedReader, Visibility>> {
    const found = await this.access.readAgain(readers.map(({ feedCaller }) => feedCaller));
    const seen = new Map<FeedReader, Visibility>();
    const check = async (reader: FeedReader, index: number): Promise<void> => {
      try {
        seen.set(reader, await this.access.authorize(found[index]));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        reader.settle(error);
      }
    };
    await Promise.all(readers.map(check));
    return seen;
  }

  private async deliver(organizationId: string): Promise<void> {
    // Those that begin to wait from now on have read the same events, or get a signal.
    const readers = this.readers.waitingIn(organizationId);
    let after = Math.min(...readers.map(({ position }) => position));
    for (let batches = 0; readers.some(({ isWaiting }) => isWaiting); batches++) {
      if (batches === BATCHES) return void this.signaled.add(organizationId);
      const events = await this.queries.readAll(organizationId, after, BATCH);
      // Read afterwards: if one of the events is of a new epoch, this has it.
      endOtherEpochs(readers, await this.queries.boundsOf(organizationId));
      const last = events.at(-1);
      if (last === undefined) return;
      const isFull = events.length === BATCH;
      await this.distribute(
        readers.filter(({ isWaiting }) => isWaiting),
        events.filter(({ hasItsApp }) => hasItsApp),
        { position: last.position, hasMore: isFull },
      );
      if (!isFull) return;
      after = last.position;
    }
  }

  /** Ends the waits of those that may see an event that they want; the others have seen the batch. */
  private async distribute(
    readers: readonly FeedReader[],
    events: readonly FeedEvent[],
    batch: { readonly position: number; readonly hasMore: boolean },
  ): Promise<void> {
    const wanted = readers.map((reader) => ({ reader, events: wantedBy(reader, events) }));
    const interested = wanted.filter((each) => each.events.length > 0);
    const seen = await this.checkAgain(interested.map(({ reader }) => reader));
    for (const { reader, events: all } of wanted) {
      const visibility = seen.get(reader);
      const own = visibility === undefined ? [] : all.filter((event) => isVisible(event, visibility));
      const page = own.slice(0, reader.limit);
      const isCut = page.length < own.length;
      const position = Math.max(reader.position, isCut ? (page.at(-1)?.position ?? 0) : batch.position);
      const hasMore = isCut || batch.hasMore;
      if (page.length > 0) reader.settle({ events: page, epoch: reader.epoch, position, hasMore });
      reader.position = position;
    }
  }
}

/** Ends the waits of readers whose positions are of another epoch. */
function endOtherEpochs(readers: readonly FeedReader[], bounds: FeedBounds): void {
  for (const reader of readers) if (reader.epoch !== bounds.epoch) reader.settle(otherEpochError(bounds));
}

function wantedBy({ position, filter }: FeedReader, events: readonly FeedEvent[]): FeedEvent[] {
  return events.filter((event) => event.position > position && matches(event, filter));
}
