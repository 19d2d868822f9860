import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { AppError } from '../../common/errors/app-error.js';
import {
  ChangeSignals,
  EMPTY_CHANNELS,
  EVENTS,
  INBOX,
  RELEASES,
  type TopicListener,
} from '../../database/change-signals.js';
import { unavailableReason } from '../../database/outages/unavailable.js';
import { signaledOrganizations } from '../dispatcher/signal-payload.js';
import { FeedAccessService } from '../feed/feed-access.service.js';
import { FeedQueries } from '../feed/feed.queries.js';
import { OpenRequests } from '../feed/open-requests.js';
import { APP_CHANGED, INBOX_CHANGED, isVisible, type Visibility } from '../feed/visibility.js';
import type { ChangeStream } from './change-stream.js';
import { changedKindOf } from './changed-kinds.js';
import { type Hint, HintQueue } from './hint-queue.js';

/** Events that are read at once for all streams of an organization. */
const BATCH = 500;
/** Batches of one organization before others have their turn. */
const BATCHES = 10;
/** Milliseconds in which signals of one change come together: this process has its own before those of the database. */
const GATHERED_FOR = 50;
/** How long it rests without a signal, in milliseconds; after that, the callers are checked again. */
const REST = 5000;
/** The same while no signals arrive, and after a failure. */
const SHORT_REST = 1000;

/** An organization that has streams. */
interface Followed {
  /** The epoch that counts the position. */
  epoch: string | null;
  /** Up to which position its events were read. */
  position: number;
  readonly hints: HintQueue;
  /** Its apps: the database does not know any more whose a deleted one was. */
  readonly appIds: Set<string>;
}

/**
 * Sends hints to the streams of changes: reads new events once per organization and batch, and adds the changes of apps
 * that have no events. Callers are authenticated and authorized again before they get hints, and every five seconds.
 */
@Injectable()
export class ChangePump extends BackgroundLoop implements OnModuleInit, TopicListener {
  readonly streams = new OpenRequests<ChangeStream>(
    'change-streams',
    (limit, whose) => `${limit} streams of changes of ${whose} are open already`,
    'poll',
  );
  private readonly followed = new Map<string, Followed>();
  /** Organizations that have new events. */
  private readonly signaled = new Set<string>();
  private readonly changedApps = new Set<string>();
  /** Whether a signal was about all organizations: a new epoch may have begun. */
  private mustLook = false;
  private isCutOff = true;
  private checkedAt = 0;

  constructor(
    private readonly queries: FeedQueries,
    private readonly access: FeedAccessService,
    private readonly signals: ChangeSignals,
  ) {
    super();
  }

  onModuleInit(): void {
    const others = { connected: () => undefined, lost: () => undefined };
    const ofApps = { ...others, notified: (appId: string) => this.noteApp(appId) };
    this.signals.listen(RELEASES, ofApps);
    this.signals.listen(EMPTY_CHANNELS, ofApps);
    this.signals.listen(INBOX, { ...others, notified: (id: string) => this.noteInbox(id) });
    this.signals.listen(EVENTS, this);
  }

  /** Changes without events may have been missed: clients connect again, and read what they show. */
  connected(): void {
    this.isCutOff = false;
    this.endAll();
  }

  lost(): void {
    this.isCutOff = true;
    this.wake();
  }

  notified(payload: string): void {
    const signaled = signaledOrganizations(payload);
    this.mustLook ||= signaled === null;
    this.signal(signaled ?? this.streams.organizationIds);
  }

  /** Follows the organization of a stream that has joined. Resolves when every change from now on causes a hint. */
  async follow(organizationId: string): Promise<void> {
    if (this.followed.has(organizationId)) return;
    const { epoch, position } = await this.queries.boundsOf(organizationId);
    const appIds = new Set((await this.queries.appsOf([organizationId], null)).map(({ appId }) => appId));
    if (this.followed.has(organizationId)) return;
    const hints = new HintQueue();
    this.followed.set(organizationId, { epoch, position, hints, appIds });
    // There may have been events since the statement.
    this.signal([organizationId]);
  }

  leave(stream: ChangeStream): void {
    const { organizationId } = stream.feedCaller;
    this.streams.leave(stream);
    if (!this.streams.has(organizationId)) this.followed.delete(organizationId);
  }

  endAll(): void {
    for (const stream of this.streams.all()) stream.end();
  }

  private noteApp(appId: string): void {
    if (this.streams.size === 0) return;
    this.changedApps.add(appId);
    this.wake();
  }

  private noteInbox(organizationId: string): void {
    const followed = this.followed.get(organizationId);
    if (followed === undefined) return;
    followed.hints.add({ appId: null, kind: 'inbox', id: organizationId }, INBOX_CHANGED.type);
    this.wake();
  }

  private signal(organizationIds: readonly string[]): void {
    const read = organizationIds.filter((id) => this.streams.has(id));
    for (const id of read) this.signaled.add(id);
    if (read.length > 0) this.wake();
  }

  protected override async round(stopping: AbortSignal): Promise<number> {
    if (this.streams.size === 0) return REST;
    await sleep(GATHERED_FOR, undefined, { signal: stopping }).catch(() => undefined);
    try {
      const isDue = performance.now() - this.checkedAt >= REST;
      if (isDue || this.isCutOff || this.mustLook) await this.findNew();
      await this.addApps();
      // A copy: what is signaled in the meantime has its turn after these are sent.
      const signaled = [...this.signaled];
      for (const id of signaled) {
        if (stopping.aborted) return 0;
        this.signaled.delete(id);
        await this.addEvents(id);
      }
      await this.send(isDue);
      if (this.signaled.size > 0) return 0;
      const now = performance.now();
      const dueIn = [...this.followed.values()].map(({ hints }) => hints.dueIn(now));
      return Math.min(this.isCutOff ? SHORT_REST : REST, ...dueIn);
    } catch (err) {
      this.mustLook = true;
      for (const id of this.streams.organizationIds) this.signaled.add(id);
      if (unavailableReason(err) === null)
        this.logger.warn({ err }, 'Changes could not be read for open streams');
      return SHORT_REST;
    }
  }

  /** Signals may be lost. A new epoch ends the streams: clients connect again, and read what they show. */
  private async findNew(): Promise<void> {
    this.mustLook = false;
    for (const { organizationId, epoch, position } of await this.queries.bounds([...this.followed.keys()])) {
      const followed = this.followed.get(organizationId);
      if (followed === undefined) continue;
      if (followed.epoch !== epoch) {
        Object.assign(followed, { epoch, position });
        for (const stream of this.streams.of(organizationId)) stream.end();
      } else if (followed.position < position) this.signaled.add(organizationId);
    }
  }

  private async addApps(): Promise<void> {
    const changed = [...this.changedApps];
    if (changed.length === 0) return;
    const found = await this.queries.appsOf([...this.followed.keys()], changed);
    const owners = new Map(found.map(({ appId, organizationId }) => [appId, organizationId]));
    for (const [organizationId, { appIds, hints }] of this.followed) {
      for (const appId of changed) {
        const isOwn = owners.get(appId) === organizationId;
        if (isOwn || appIds.has(appId)) hints.add({ appId, kind: 'app', id: appId }, APP_CHANGED.type);
        if (isOwn) appIds.add(appId);
        else appIds.delete(appId);
      }
    }
    for (const appId of changed) this.changedApps.delete(appId);
  }

  private async addEvents(organizationId: string): Promise<void> {
    for (let batches = 0; batches < BATCHES; batches++) {
      const followed = this.followed.get(organizationId);
      if (followed === undefined) return;
      const events = await this.queries.readObjects(organizationId, followed.position, BATCH);
      for (const { type, appId, objectId, hasItsApp } of events) {
        const kind = changedKindOf(type);
        if (hasItsApp && kind !== null) followed.hints.add({ appId, kind, id: objectId }, type);
      }
      followed.position = events.at(-1)?.position ?? followed.position;
      if (events.length < BATCH) return;
    }
    this.signaled.add(organizationId);
  }

  /** @param toAll whether callers are checked, too, for whom there is nothing */
  private async send(toAll: boolean): Promise<void> {
    const now = performance.now();
    const due = [...this.followed].filter(([, { hints }]) => hints.dueIn(now) === 0).map(([id]) => id);
    await this.checkAgain(toAll ? this.streams.all() : due.flatMap((id) => this.streams.of(id)));
    if (toAll) this.checkedAt = now;
    for (const id of due) {
      const hints = this.followed.get(id)?.hints.take(now) ?? [];
      for (const stream of this.streams.of(id)) {
        for (const hint of hints) if (maySee(stream.visibility, hint)) stream.send(hint.dto);
      }
    }
  }

  /** Ends the streams of callers who may no longer read events. */
  private async checkAgain(streams: readonly ChangeStream[]): Promise<void> {
    const found = await this.access.readAgain(streams.map(({ feedCaller }) => feedCaller));
    const check = async (stream: ChangeStream, index: number): Promise<void> => {
      try {
        stream.visibility = await this.access.authorize(found[index]);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        stream.end();
      }
    };
    await Promise.all(streams.map(check));
  }
}

function maySee(visibility: Visibility, { dto, types }: Hint): boolean {
  return [...types].some((type) => isVisible({ type, appId: dto.appId }, visibility));
}
