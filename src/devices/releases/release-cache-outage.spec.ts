import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { Config } from '../../config/config.js';
import { Fallbacks } from '../../database/outages/fallbacks.js';
import { EMPTY_CHANNELS, ChangeSignals, RELEASES } from '../../database/change-signals.js';
import { ReleaseCache } from './release-cache.js';
import type { ReleaseTable } from './release-table.js';
import type { ReleaseTableLoader } from './release-table-loader.js';
import { RollbackCounts } from './rollback-counts.js';

beforeAll(() => Logger.overrideLogger(false));

const APPS = ['one', 'two', 'three'];

function tableOf(appId: string): ReleaseTable {
  return {
    appId,
    defaultChannelId: null,
    channels: [],
    forcedChannelIds: new Map(),
    knownBundles: null,
    rollbacks: new RollbackCounts(),
  };
}

/** PostgreSQL ends a statement that takes too long. */
const slow = new QueryFailedError('SELECT', [], Object.assign(new Error('Too slow.'), { code: '57014' }));

/** A cache with a database that can go away. */
function newCache(staleMaxSeconds = 14_400) {
  const state = { isAway: false, isSlow: false, hangs: false, loads: 0 };
  const answer = async <R>(result: R): Promise<R> => {
    if (state.isSlow) throw slow;
    if (state.hangs) return new Promise(() => undefined);
    if (state.isAway) throw new DatabaseUnavailableError('ECONNREFUSED');
    return result;
  };
  const source = {
    loadMany: (ids: readonly string[]) => {
      state.loads++;
      return answer(new Map(ids.filter((id) => APPS.includes(id)).map((id) => [id, tableOf(id)])));
    },
    appIds: () => answer(APPS),
  } as unknown as ReleaseTableLoader;
  const config = new Config();
  config.updateChecks.staleMaxSeconds = staleMaxSeconds;
  const signals = new ChangeSignals(config);
  const fallbacks = new Fallbacks();
  const cache = new ReleaseCache(source, signals, fallbacks, config);
  cache.onModuleInit();
  void cache.start();
  const goAway = (): void => {
    state.isAway = true;
    cache.lost();
  };
  return { cache, signals, fallbacks, state, source, goAway };
}

/** One that is subscribed to changes. */
async function subscribedCache(staleMaxSeconds?: number) {
  const created = newCache(staleMaxSeconds);
  await created.cache.connected();
  return created;
}

/** Loads, while the clock is a fake. */
async function load(cache: ReleaseCache, appId: string): Promise<ReleaseTable | null> {
  const loading = cache.load(appId);
  loading.catch(() => undefined);
  await jest.advanceTimersByTimeAsync(1);
  return loading;
}

const away = expect.objectContaining({ reason: 'ECONNREFUSED' }) as Error;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('ReleaseCache without its database', () => {
  it('serves the tables that it has, after one failed attempt, and no others', async () => {
    const { cache, goAway, fallbacks } = await subscribedCache();
    const table = await load(cache, 'one');
    goAway();
    expect(cache.peek('one')).toBeUndefined();
    expect(await load(cache, 'one')).toBe(table);
    expect(cache.peek('one')).toBe(table);
    await expect(load(cache, 'two')).rejects.toEqual(away);
    await expect(load(cache, 'unknown')).rejects.toEqual(away);
    expect(fallbacks.areUsable).toBe(true);
    expect(cache.staleHits).toBe(2);
    expect(cache.latestOutage).toMatchObject({ to: null });
  });

  it('tries once a second, however many checks there are, and loads before it serves again', async () => {
    const { cache, goAway, state } = await subscribedCache();
    const table = await load(cache, 'one');
    goAway();
    await load(cache, 'one');
    const { loads } = state;
    for (let n = 0; n < 500; n++) {
      await load(cache, 'one');
      await load(cache, 'two').catch(() => undefined);
      await jest.advanceTimersByTimeAsync(8);
    }
    expect(state.loads - loads).toBeGreaterThanOrEqual(4);
    expect(state.loads - loads).toBeLessThanOrEqual(6);
    state.isAway = false;
    await jest.advanceTimersByTimeAsync(1100);
    expect(cache.latestOutage?.to).toBeInstanceOf(Date);
    const loaded = await load(cache, 'one');
    expect(loaded).not.toBe(table);
    expect(cache.peek('one')).toBe(loaded);
  });

  it('never serves a table for which a change was announced', async () => {
    const { cache, signals, goAway } = await subscribedCache();
    for (const app of ['one', 'two']) await load(cache, app);
    signals.notifyLocally(RELEASES, 'one');
    goAway();
    await expect(load(cache, 'one')).rejects.toEqual(away);
    expect(await load(cache, 'two')).toMatchObject({ appId: 'two' });
    signals.notifyLocally(RELEASES, 'two');
    await expect(load(cache, 'two')).rejects.toEqual(away);
  });

  it('loads a table after a change of an empty channel, but serves it while it cannot be loaded', async () => {
    const { cache, signals, goAway } = await subscribedCache();
    const table = await load(cache, 'one');
    signals.notifyLocally(EMPTY_CHANNELS, 'one');
    expect(cache.peek('one')).toBeUndefined();
    const loaded = await load(cache, 'one');
    expect(loaded).not.toBe(table);
    expect(cache.peek('one')).toBe(loaded);
    signals.notifyLocally(EMPTY_CHANNELS, 'one');
    goAway();
    expect(await load(cache, 'one')).toBe(loaded);
    // Also one that is announced when the outage has begun.
    signals.notifyLocally(EMPTY_CHANNELS, 'one');
    expect(cache.peek('one')).toBe(loaded);
    signals.notifyLocally(RELEASES, 'one');
    signals.notifyLocally(EMPTY_CHANNELS, 'one');
    await expect(load(cache, 'one')).rejects.toEqual(away);
  });

  it('does not confirm a table that was being loaded when an empty channel changed', async () => {
    const { cache, signals } = await subscribedCache();
    const table = await load(cache, 'one');
    signals.notifyLocally(EMPTY_CHANNELS, 'one');
    const loading = cache.load('one');
    signals.notifyLocally(EMPTY_CHANNELS, 'one');
    await jest.advanceTimersByTimeAsync(1);
    expect(await loading).not.toBe(table);
    expect(cache.peek('one')).toBeUndefined();
  });

  it('serves old tables after the connection is back only if loading fails again', async () => {
    const { cache, goAway, state } = await subscribedCache();
    const table = await load(cache, 'one');
    goAway();
    await load(cache, 'one');
    state.isAway = false;
    await cache.connected();
    expect(cache.peek('one')).toBeUndefined();
    state.isAway = true;
    expect(await load(cache, 'one')).toBe(table);
  });

  it('ends that after the time that is configured', async () => {
    const { cache, goAway, fallbacks } = await subscribedCache(60);
    await load(cache, 'one');
    goAway();
    await jest.advanceTimersByTimeAsync(58_000);
    expect(await load(cache, 'one')).not.toBeNull();
    await jest.advanceTimersByTimeAsync(3000);
    await expect(load(cache, 'one')).rejects.toEqual(away);
    expect(cache.peek('one')).toBeUndefined();
    expect(fallbacks.areUsable).toBe(false);
  });

  it('counts the time from the loss of the connection, also when it is lost again', async () => {
    const { cache, goAway, state } = await subscribedCache(60);
    await load(cache, 'one');
    goAway();
    await jest.advanceTimersByTimeAsync(50_000);
    state.isAway = false;
    await cache.connected();
    goAway();
    await jest.advanceTimersByTimeAsync(11_000);
    await expect(load(cache, 'one')).rejects.toEqual(away);
  });

  it('does nothing of that when it is turned off', async () => {
    const { cache, goAway, fallbacks } = await subscribedCache(0);
    await load(cache, 'one');
    goAway();
    await expect(load(cache, 'one')).rejects.toEqual(away);
    expect(fallbacks.areUsable).toBe(false);
  });

  it('does not wait for a database that does not respond', async () => {
    const { cache, state } = await subscribedCache();
    const table = await load(cache, 'one');
    state.hangs = true;
    cache.lost();
    const loading = cache.load('one');
    await jest.advanceTimersByTimeAsync(2600);
    expect(await loading).toBe(table);
    expect(cache.peek('one')).toBe(table);
    // Loads that hang do not hold up those after the connection is back.
    state.hangs = false;
    await cache.connected();
    expect(await load(cache, 'one')).toMatchObject({ appId: 'one' });
  });

  it('does not wait for it either if it was never subscribed', async () => {
    const { cache, state } = newCache();
    const table = await load(cache, 'one');
    await jest.advanceTimersByTimeAsync(3500);
    state.hangs = true;
    cache.lost();
    const loading = cache.load('one');
    await jest.advanceTimersByTimeAsync(2600);
    expect(await loading).toBe(table);
  });

  it('takes a statement that is too slow for an outage only while it is cut off', async () => {
    const { cache, state } = await subscribedCache();
    const table = await load(cache, 'one');
    state.isSlow = true;
    await expect(load(cache, 'two')).rejects.toBe(slow);
    expect(cache.latestOutage).toBeNull();
    cache.lost();
    expect(await load(cache, 'one')).toBe(table);
    expect(cache.latestOutage).toMatchObject({ to: null });
  });

  it('does not remember an app as unknown that was loaded while an outage began', async () => {
    const { cache, state, source } = newCache();
    const { promise, resolve } = Promise.withResolvers<Map<string, ReleaseTable>>();
    const { loadMany } = source;
    source.loadMany = () => promise;
    const loading = load(cache, 'unknown');
    await jest.advanceTimersByTimeAsync(1);
    source.loadMany = loadMany;
    state.isAway = true;
    await expect(load(cache, 'one')).rejects.toEqual(away);
    resolve(new Map());
    expect(await loading).toBeNull();
    await expect(load(cache, 'unknown')).rejects.toEqual(away);
  });

  it('ends its attempts at a shutdown, and does not report the end of the outage', async () => {
    const { cache, goAway, state } = await subscribedCache();
    await load(cache, 'one');
    goAway();
    await load(cache, 'one');
    const { loads } = state;
    await cache.stop();
    await jest.advanceTimersByTimeAsync(5000);
    expect(state.loads).toBe(loads);
    expect(cache.latestOutage).toMatchObject({ to: null });
  });

  it('loads tables again every few seconds while only the signals are lost', async () => {
    const { cache, state } = await subscribedCache();
    await load(cache, 'one');
    cache.lost();
    const { loads } = state;
    for (let second = 0; second < 10; second++) {
      expect(await load(cache, 'one')).not.toBeNull();
      expect(await load(cache, 'unknown')).toBeNull();
      await jest.advanceTimersByTimeAsync(1000);
    }
    expect(state.loads - loads).toBeGreaterThan(5);
    expect(state.loads - loads).toBeLessThan(12);
    // That an app does not exist is not remembered without the database.
    state.isAway = true;
    await jest.advanceTimersByTimeAsync(3500);
    expect(await load(cache, 'one')).not.toBeNull();
    await expect(load(cache, 'unknown')).rejects.toEqual(away);
  });
});
