import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { Config } from '../../config/config.js';
import { ConfirmedCache } from '../../database/outages/confirmed-cache.js';
import { withinTime } from '../../database/outages/cut-off-limit.js';
import { Fallbacks } from '../../database/outages/fallbacks.js';
import {
  EMPTY_CHANNELS,
  ChangeSignals,
  RELEASES,
  ROLLBACKS,
  type TopicListener,
} from '../../database/change-signals.js';
import { LoadOutage, type Outage } from './load-outage.js';
import { readRollbacks, type RollbackChange } from './rollback-counts.js';
import { ReleaseTableBatcher } from './release-table-batcher.js';
import { type ReleaseTable, sizeOf } from './release-table.js';
import { ReleaseTableLoader } from './release-table-loader.js';

/** Milliseconds for which a table is confirmed: while subscribed to changes, as a safety net; and while not. */
const CONFIRMED_FOR = 300_000;
const CONFIRMED_FOR_UNSUBSCRIBED = 2500;
/** How exactly these times are kept, in milliseconds. */
const RESOLUTION = 500;

/** Represents an app that does not exist. */
const NO_APP = null;
const SIZE_OF_NO_APP = 100;
const MEGABYTE = 1_000_000;
const SECOND = 1000;

/** A table that is being loaded. */
interface Loading {
  readonly table: Promise<ReleaseTable | null>;
  /** Counts that have changed in the meantime, in order. */
  readonly rollbacks: RollbackChange[];
}

/**
 * Keeps release tables in memory, bounded by bytes, least recently used out. Every change of an app drops its table, unless
 * no device can notice it: see ADR 44. Concurrent requests for the same missing table load it once. While tables cannot be
 * loaded, those in memory are served for a limited time: see ADR 33.
 */
@Injectable()
export class ReleaseCache extends BackgroundTask implements OnModuleInit, TopicListener {
  private readonly tables: ConfirmedCache<ReleaseTable | typeof NO_APP>;
  private readonly outage: LoadOutage;
  private readonly staleMax: number;
  /** Tables that were confirmed until later than this are served: the time, or during an outage an earlier one. */
  private threshold = performance.now();
  private clock: NodeJS.Timeout | undefined;
  private loads = this.newBatcher();
  private readonly loading = new Map<string, Loading>();
  /** Apps that were announced since the subscription to changes began; `null`: not subscribed. */
  private announced: Set<string> | null = null;
  /** Whether the subscription was lost, or could not begin. */
  private isCutOff = false;
  /**
   * As `announced`, once it has all apps: then requests for apps that do not exist need no statement.
   */
  private appIds: Set<string> | null = null;
  private hits = 0;
  private misses = 0;

  constructor(
    private readonly source: ReleaseTableLoader,
    private readonly signals: ChangeSignals,
    private readonly fallbacks: Fallbacks,
    { updateChecks }: Config,
  ) {
    super();
    this.staleMax = updateChecks.staleMaxSeconds * SECOND;
    this.tables = new ConfirmedCache({
      maxSize: updateChecks.cacheMegabytes * MEGABYTE,
      sizeOf: (table) => (table === NO_APP ? SIZE_OF_NO_APP : sizeOf(table)),
    });
    this.outage = new LoadOutage(
      () => this.loadAny(),
      () => this.hits,
      () => this.updateThreshold(),
      updateChecks.staleMaxSeconds,
    );
  }

  onModuleInit(): void {
    this.signals.listen(RELEASES, this);
    // When the connection is lost, all tables are loaded again, and their counts with them.
    const others = { connected: () => undefined, lost: () => undefined };
    this.signals.listen(ROLLBACKS, { ...others, notified: (payload) => this.changeRollbacks(payload) });
    this.signals.listen(EMPTY_CHANNELS, { ...others, notified: (appId) => this.unconfirmOne(appId) });
    this.fallbacks.register(() => this.tables.hasConfirmed(performance.now() - this.staleMax));
  }

  override start(): Promise<void> {
    // A lookup must not cost a look at the clock.
    this.clock = setInterval(() => this.updateThreshold(), RESOLUTION).unref();
    return Promise.resolve();
  }

  override stop(): Promise<void> {
    clearInterval(this.clock);
    this.outage.stop();
    return Promise.resolve();
  }

  /** Apps in memory, and about how many bytes they take. */
  get usage(): { apps: number; bytes: number } {
    return { apps: this.tables.count, bytes: this.tables.size };
  }

  /** Lookups since the start that found the table in memory, and that had to wait for the database. */
  get lookups(): { hit: number; miss: number } {
    return { hit: this.hits, miss: this.misses };
  }

  /** The current or last time in which tables could not be loaded; `null`: none since the start. */
  get latestOutage(): Outage | null {
    return this.outage.latest;
  }

  /** Lookups since the start that found the table in memory while none could be loaded. */
  get staleHits(): number {
    return this.outage.staleHits;
  }

  /**
   * The table of an app if it is in memory and may be served; `null`: there is no such app; `undefined`: it has to be
   * loaded.
   */
  peek(appId: string): ReleaseTable | null | undefined {
    const kept = this.tables.get(appId, this.threshold);
    if (kept !== undefined) {
      this.hits++;
      return kept;
    }
    if (this.appIds?.has(appId) !== false) return undefined;
    this.hits++;
    return null;
  }

  /**
   * @returns the table of an app, perhaps a stale one; `null` for an unknown app
   * @throws DatabaseUnavailableError when it has to be loaded and cannot be
   */
  async load(appId: string): Promise<ReleaseTable | null> {
    const kept = this.peek(appId);
    if (kept !== undefined) return kept;
    this.misses++;
    if (this.outage.error !== null) throw this.outage.error;
    try {
      return await this.loadFresh(appId);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      this.beginOutage(error);
      const stale = this.peek(appId);
      if (stale === undefined) throw error;
      return stale;
    }
  }

  private async loadFresh(appId: string): Promise<ReleaseTable | null> {
    const earlier = this.loading.get(appId);
    if (earlier !== undefined) return earlier.table;
    const loading: Loading = { table: this.loads.load(appId), rollbacks: [] };
    this.loading.set(appId, loading);
    try {
      const table = await loading.table;
      for (const { hash, count } of loading.rollbacks) table?.rollbacks.set(hash, count);
      // After a change in the meantime, the table may go to the earlier requests, but is not kept.
      if (this.loading.get(appId) === loading) this.keep(appId, table);
      return table;
    } finally {
      if (this.loading.get(appId) === loading) this.loading.delete(appId);
    }
  }

  /** An attempt during an outage: a table that is in use, else of no app. */
  private loadAny(): Promise<unknown> {
    const appId = this.tables.latestKey;
    return appId === undefined ? this.source.loadMany([]) : this.loadFresh(appId);
  }

  private keep(appId: string, table: ReleaseTable | null): void {
    const now = performance.now();
    if (table !== null) {
      this.tables.set(
        appId,
        table,
        now + (this.announced === null ? CONFIRMED_FOR_UNSUBSCRIBED : CONFIRMED_FOR),
      );
    } else {
      this.tables.delete(appId);
      if (this.appIds !== null) this.appIds.delete(appId);
      else if (this.outage.error === null) this.tables.set(appId, NO_APP, now + CONFIRMED_FOR_UNSUBSCRIBED);
    }
  }

  async connected(): Promise<void> {
    this.unconfirm();
    this.isCutOff = false;
    // Loads that wait for a connection which is gone must not hold up those that follow.
    this.loads = this.newBatcher();
    this.outage.end();
    const announced = new Set<string>();
    this.announced = announced;
    for (const id of await this.source.appIds()) announced.add(id);
    // Unless the connection has been lost in the meantime.
    if (this.announced === announced) this.appIds = announced;
  }

  lost(): void {
    this.isCutOff = true;
    if (this.announced === null) return;
    this.announced = null;
    this.appIds = null;
    this.unconfirm();
  }

  /** The app was created, changed or deleted. */
  notified(appId: string): void {
    this.tables.delete(appId);
    this.loading.delete(appId);
    this.announced?.add(appId);
  }

  /**
   * A channel without deployments was created, changed or deleted. The table is loaded before it is served again, but offers
   * no device a wrong bundle until it can be.
   */
  private unconfirmOne(appId: string): void {
    this.tables.unconfirmOne(appId, performance.now());
    this.loading.delete(appId);
    this.updateThreshold();
  }

  /** Counts of roll-backs have changed: the table stays. One that is being loaded may have been read before. */
  private changeRollbacks(payload: string): void {
    const { appId, changes } = readRollbacks(payload);
    this.loading.get(appId)?.rollbacks.push(...changes);
    const table = this.tables.peek(appId);
    for (const { hash, count } of changes) table?.rollbacks.set(hash, count);
  }

  /** Changes may have been missed: every table is loaded before it is served again, if it can be. */
  private unconfirm(): void {
    this.tables.unconfirm(performance.now());
    this.loading.clear();
    this.updateThreshold();
  }

  private beginOutage(error: DatabaseUnavailableError): void {
    if (this.outage.error !== null) return;
    // That an app does not exist must be known; during the outage, `keep` adds none.
    this.tables.deleteWhere((table) => table === NO_APP);
    this.outage.begin(error);
  }

  private updateThreshold(): void {
    this.threshold = performance.now() - (this.outage.error === null ? 0 : this.staleMax);
  }

  private newBatcher(): ReleaseTableBatcher {
    return new ReleaseTableBatcher((appIds) => withinTime(this.source.loadMany(appIds), () => this.isCutOff));
  }
}
