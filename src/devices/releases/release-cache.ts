import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../../config/config.js';
import { Notifications, RELEASES, ROLLBACKS, type TopicListener } from '../../database/notifications.js';
import { readRollbacks, type RollbackChange } from './rollback-counts.js';
import { ReleaseTableBatcher } from './release-table-batcher.js';
import { type ReleaseTable, sizeOf } from './release-table.js';
import { ReleaseTableLoader } from './release-table-loader.js';

/** Milliseconds that a table is kept: while subscribed to changes, as a safety net; and while not. */
const MAX_AGE = 300_000;
const MAX_AGE_UNSUBSCRIBED = 2500;
/** How exactly ages are known, in milliseconds. */
const AGE_RESOLUTION = 500;

/** Stands for an app that does not exist. */
const NO_APP = Symbol('no app');
const SIZE_OF_NO_APP = 100;
const MEGABYTE = 1_000_000;

/** A table that is being loaded. */
interface Loading {
  readonly table: Promise<ReleaseTable | null>;
  /** Counts that have changed meanwhile, in order. */
  readonly rollbacks: RollbackChange[];
}

/**
 * Keeps release tables in memory, bounded by bytes, least recently used out. Every change of an app drops its table.
 * Concurrent requests for the same missing table load it once.
 */
@Injectable()
export class ReleaseCache implements OnModuleInit, TopicListener {
  private readonly tables: LRUCache<string, ReleaseTable | typeof NO_APP>;
  private readonly loads: ReleaseTableBatcher;
  private readonly loading = new Map<string, Loading>();
  /** Apps that were announced since the subscription to changes began; `null`: not subscribed. */
  private announced: Set<string> | null = null;
  /**
   * The same, once it has all apps: then requests for apps that do not exist need no statement.
   */
  private appIds: Set<string> | null = null;
  private hits = 0;
  private misses = 0;

  constructor(
    private readonly source: ReleaseTableLoader,
    private readonly notifications: Notifications,
    { updateChecks }: Config,
  ) {
    this.loads = new ReleaseTableBatcher((appIds) => source.loadMany(appIds));
    this.tables = new LRUCache({
      maxSize: updateChecks.cacheMegabytes * MEGABYTE,
      sizeCalculation: (table) => (table === NO_APP ? SIZE_OF_NO_APP : sizeOf(table)),
      ttlResolution: AGE_RESOLUTION,
    });
  }

  onModuleInit(): void {
    this.notifications.listen(RELEASES, this);
    // When the connection is lost, all tables are dropped, and their counts with them.
    this.notifications.listen(ROLLBACKS, {
      connected: () => undefined,
      lost: () => undefined,
      notified: (payload) => this.changeRollbacks(payload),
    });
  }

  /** Apps in memory, and about how many bytes they take. */
  get usage(): { apps: number; bytes: number } {
    return { apps: this.tables.size, bytes: this.tables.calculatedSize };
  }

  /** Lookups since the start that found the table in memory, and that had to wait for the database. */
  get lookups(): { hit: number; miss: number } {
    return { hit: this.hits, miss: this.misses };
  }

  /** The table of an app if it is in memory; `null`: there is no such app; `undefined`: it has to be loaded. */
  peek(appId: string): ReleaseTable | null | undefined {
    const kept = this.tables.get(appId);
    const isUnknown = kept === NO_APP || (kept === undefined && this.appIds?.has(appId) === false);
    if (isUnknown || kept !== undefined) this.hits++;
    return isUnknown ? null : kept;
  }

  /** @returns the table of an app; `null` for an unknown app */
  async load(appId: string): Promise<ReleaseTable | null> {
    const kept = this.peek(appId);
    if (kept !== undefined) return kept;
    this.misses++;
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

  private keep(appId: string, table: ReleaseTable | null): void {
    const ttl = this.announced === null ? MAX_AGE_UNSUBSCRIBED : MAX_AGE;
    if (table !== null) this.tables.set(appId, table, { ttl });
    else if (this.appIds !== null) this.appIds.delete(appId);
    else this.tables.set(appId, NO_APP, { ttl: MAX_AGE_UNSUBSCRIBED });
  }

  async connected(): Promise<void> {
    this.dropAll();
    const announced = new Set<string>();
    this.announced = announced;
    for (const id of await this.source.appIds()) announced.add(id);
    // Unless the connection was lost meanwhile.
    if (this.announced === announced) this.appIds = announced;
  }

  lost(): void {
    this.announced = null;
    this.appIds = null;
    this.dropAll();
  }

  /** The app was created, changed or deleted. */
  notified(appId: string): void {
    this.tables.delete(appId);
    this.loading.delete(appId);
    this.announced?.add(appId);
  }

  /** Counts of roll-backs have changed: the table stays. One that is being loaded may have been read before. */
  private changeRollbacks(payload: string): void {
    const { appId, changes } = readRollbacks(payload);
    this.loading.get(appId)?.rollbacks.push(...changes);
    const table = this.tables.peek(appId);
    if (table === undefined || table === NO_APP) return;
    for (const { hash, count } of changes) table.rollbacks.set(hash, count);
  }

  private dropAll(): void {
    this.tables.clear();
    this.loading.clear();
  }
}
