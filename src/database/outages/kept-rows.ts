import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { Config } from '../../config/config.js';
import { ConfirmedCache } from './confirmed-cache.js';
import { withinTime } from './cut-off-limit.js';
import { ChangeSignals, RELEASES, type TopicListener } from '../change-signals.js';

/** Rows that are kept at most: about 15 MB. */
const MAX_ROWS = 20_000;

interface KeptRow {
  readonly appId: string;
  readonly row: object;
}

/**
 * Keeps rows that describe published files, for the time in which the database is not available. Their content never
 * changes, but they can be deleted: every change of an app, which includes deletions and damaged files, drops its rows.
 * Otherwise the database is always asked.
 */
@Injectable()
export class KeptRows implements OnModuleInit, TopicListener {
  private readonly logger = new Logger(KeptRows.name);
  private readonly rows = new ConfirmedCache<KeptRow>({
    maxSize: MAX_ROWS,
    sizeOf: () => 1,
    removed: (key) => this.forgetKey(key),
  });
  private readonly keysOf = new Map<string, Set<string>>();
  private readonly staleMax: number;
  /** Changes of any app since the start, and times from or until which changes were missed. */
  private changes = 0;
  private isCutOff = false;
  /** Whether the last row came from memory, so that an outage is logged once. */
  private isStale = false;
  /** Rows that were served from memory since the start. */
  staleCount = 0;

  constructor(
    private readonly signals: ChangeSignals,
    { updateChecks }: Config,
  ) {
    this.staleMax = updateChecks.staleMaxSeconds * 1000;
  }

  onModuleInit(): void {
    this.signals.listen(RELEASES, this);
  }

  /**
   * Reads a row, and keeps it. While the database is not available: the row that was kept.
   *
   * @param appId the app whose changes drop the row
   * @param name names the row in the app
   * @throws DatabaseUnavailableError when the row is not in memory, or for too long
   */
  async find<Row extends object>(
    appId: string,
    name: string,
    read: () => Promise<Row | null>,
  ): Promise<Row | null> {
    const key = `${appId}/${name}`;
    const { changes } = this;
    try {
      const row = await withinTime(read(), () => this.isCutOff);
      this.isStale = false;
      // What was read before a change may be old.
      if (row === null) this.rows.delete(key);
      else if (this.changes === changes) this.keep(key, { appId, row });
      return row;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      const kept = this.rows.get(key, performance.now() - this.staleMax);
      if (kept === undefined) throw error;
      this.countStale(error);
      return kept.row as Row;
    }
  }

  /**
   * Opens what a row describes.
   *
   * @throws DatabaseUnavailableError when that fails while rows come from memory: another server may have deleted it
   */
  async opening<R>(open: () => Promise<R>): Promise<R> {
    try {
      return await open();
    } catch (error) {
      throw this.isStale ? new DatabaseUnavailableError('stale row', String(error)) : error;
    }
  }

  private keep(key: string, row: KeptRow): void {
    if (this.staleMax === 0) return;
    // Unless changes are announced, a row is only known to be current now.
    this.rows.set(key, row, this.isCutOff ? performance.now() : Infinity);
    const keys = this.keysOf.get(row.appId) ?? new Set();
    this.keysOf.set(row.appId, keys.add(key));
  }

  private countStale({ reason }: DatabaseUnavailableError): void {
    this.staleCount++;
    if (!this.isStale)
      this.logger.warn({ reason, event: 'downloads_stale' }, 'Downloads are found in memory');
    this.isStale = true;
  }

  private forgetKey(key: string): void {
    const appId = key.slice(0, key.indexOf('/'));
    const keys = this.keysOf.get(appId);
    keys?.delete(key);
    if (keys?.size === 0) this.keysOf.delete(appId);
  }

  connected(): void {
    this.changes++;
    this.rows.unconfirm(performance.now());
    this.isCutOff = false;
  }

  lost(): void {
    this.changes++;
    this.rows.unconfirm(performance.now());
    this.isCutOff = true;
  }

  notified(appId: string): void {
    this.changes++;
    for (const key of this.keysOf.get(appId) ?? []) this.rows.delete(key);
  }
}
