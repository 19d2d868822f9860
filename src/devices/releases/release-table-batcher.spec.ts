import { RollbackCounts } from './rollback-counts.js';
import type { ReleaseTable } from './release-table.js';
import { ReleaseTableBatcher } from './release-table-batcher.js';

const tableOf = (appId: string): ReleaseTable => ({
  appId,
  defaultChannelId: null,
  channels: [],
  forcedChannelIds: new Map(),
  knownBundles: null,
  rollbacks: new RollbackCounts(),
});

/** Loads the ids that begin with `app`, and records the requested ones. */
function loadsOf(fail = false) {
  const batches: (readonly string[])[] = [];
  let running = 0;
  let most = 0;
  const loads = new ReleaseTableBatcher(async (appIds) => {
    batches.push(appIds);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running--;
    if (fail) throw new Error('The database is away.');
    return new Map(appIds.filter((id) => id.startsWith('app')).map((id) => [id, tableOf(id)]));
  });
  return { loads, batches, most: () => most };
}

describe('ReleaseTableBatcher', () => {
  it('loads the requests of one turn together, and an app only once', async () => {
    const { loads, batches } = loadsOf();
    const asked = ['app 1', 'app 2', 'app 1', 'none'].map((id) => loads.load(id));
    expect((await Promise.all(asked)).map((table) => table?.appId)).toEqual([
      'app 1',
      'app 2',
      'app 1',
      undefined,
    ]);
    expect(batches).toEqual([['app 1', 'app 2', 'none']]);
  });

  it('loads ten thousand apps in batches of a hundred, two at a time', async () => {
    const { loads, batches, most } = loadsOf();
    const ids = Array.from({ length: 10_000 }, (_, n) => `app ${n}`);
    const tables = await Promise.all(ids.map((id) => loads.load(id)));
    expect(tables.map((table) => table?.appId)).toEqual(ids);
    expect(batches).toHaveLength(100);
    expect(most()).toBe(2);
  });

  it('rejects all requests of a failed load, and continues', async () => {
    const { loads, batches } = loadsOf(true);
    const asked = await Promise.allSettled(['app 1', 'app 2'].map((id) => loads.load(id)));
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(loads.load('app 3')).rejects.toThrow('The database is away.');
    expect(batches).toEqual([['app 1', 'app 2'], ['app 3']]);
  });
});
