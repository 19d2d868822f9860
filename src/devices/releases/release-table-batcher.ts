import { setImmediate } from 'node:timers/promises';
import type { ReleaseTable } from './release-table.js';

/** Apps per load at most. */
const APPS_PER_LOAD = 100;
/** Loads under way at once. Each takes up to three connections of the pool: most of it is left to others. */
const LOADS_AT_ONCE = 2;

interface Wanted extends PromiseWithResolvers<ReleaseTable | null> {
  readonly appId: string;
}

/** Loads tables that are requested at the same time together, and few at once: after a restart all apps are requested. */
export class ReleaseTableBatcher {
  private wanted: Wanted[] = [];
  private running = 0;

  /** @param loadMany loads the tables of the apps that exist */
  constructor(private readonly loadMany: (appIds: readonly string[]) => Promise<Map<string, ReleaseTable>>) {}

  /** @returns the table of an app as it is after this call; `null` for an unknown app */
  load(appId: string): Promise<ReleaseTable | null> {
    const wanted = { appId, ...Promise.withResolvers<ReleaseTable | null>() };
    this.wanted.push(wanted);
    if (this.running < LOADS_AT_ONCE) void this.run();
    return wanted.promise;
  }

  private async run(): Promise<void> {
    this.running++;
    // Requests of the same turn of the event loop join.
    await setImmediate();
    while (this.wanted.length > 0) await this.loadNext(this.wanted.splice(0, APPS_PER_LOAD));
    this.running--;
  }

  private async loadNext(batch: readonly Wanted[]): Promise<void> {
    try {
      const tables = await this.loadMany([...new Set(batch.map(({ appId }) => appId))]);
      for (const { appId, resolve } of batch) resolve(tables.get(appId) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
