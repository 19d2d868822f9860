import { Config } from '../../config/config.js';
import { Fallbacks } from '../../database/outages/fallbacks.js';
import { ChangeSignals, RELEASES, ROLLBACKS } from '../../database/change-signals.js';
import { RollbackCounts, rollbackHash } from './rollback-counts.js';
import { ReleaseCache } from './release-cache.js';
import type { ReleaseTable } from './release-table.js';
import type { ReleaseTableLoader } from './release-table-loader.js';

const BUNDLE = '0190e6d4-3a5b-7c11-9d2e-5f60718293a4';
const payload = (count: number): string =>
  `app ${rollbackHash('device', BUNDLE, '10').toString(16).padStart(16, '0')}:0:${count}`;
const countIn = (table: ReleaseTable | null | undefined): number | undefined =>
  table?.rollbacks.of('device', BUNDLE, '10').all;

function cacheOf(loads: (() => Promise<void>)[]) {
  let loaded = 0;
  const source = {
    loadMany: async () => {
      loaded++;
      await loads.shift()?.();
      const table: ReleaseTable = {
        appId: 'app',
        defaultChannelId: null,
        channels: [],
        forcedChannelIds: new Map(),
        knownBundles: null,
        rollbacks: new RollbackCounts(),
      };
      return new Map([['app', table]]);
    },
  } as unknown as ReleaseTableLoader;
  const config = new Config();
  const signals = new ChangeSignals(config);
  const cache = new ReleaseCache(source, signals, new Fallbacks(), config);
  cache.onModuleInit();
  void cache.start();
  return { cache, signals, loaded: () => loaded };
}

describe('ReleaseCache', () => {
  it('changes counts of roll-backs in the table that it has, and loads nothing for them', async () => {
    const { cache, signals, loaded } = cacheOf([]);
    const table = await cache.load('app');
    for (const count of [1, 2, 0, 3]) {
      signals.notifyLocally(ROLLBACKS, payload(count));
      expect(countIn(cache.peek('app'))).toBe(count);
    }
    signals.notifyLocally(ROLLBACKS, payload(3).replace('app', 'other'));
    expect(cache.peek('app')).toBe(table);
    expect(loaded()).toBe(1);
    signals.notifyLocally(RELEASES, 'app');
    expect(cache.peek('app')).toBeUndefined();
  });

  it('misses no count that changes while a table is loaded, and keeps the table', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { cache, signals, loaded } = cacheOf([() => promise]);
    const loading = cache.load('app');
    await new Promise(setImmediate);
    for (const count of [1, 2]) signals.notifyLocally(ROLLBACKS, payload(count));
    resolve();
    expect(countIn(await loading)).toBe(2);
    expect(countIn(cache.peek('app'))).toBe(2);
    expect(loaded()).toBe(1);
  });
});
