import { ShareLimit, type Tenant } from './share-limit.js';

let began: string[];
let ends: Map<string, () => void>;

beforeEach(() => {
  began = [];
  ends = new Map();
});

/**
 * Work that is held until `end` of its name is called. The first letter of its name is its account, and what is before a
 * number its organization.
 */
const run = (limit: ShareLimit, name: string, signal?: AbortSignal): Promise<void> =>
  limit.run(tenantOf(name), () => held(name), signal);

const tenantOf = (name: string): Tenant => ({
  account: name.charAt(0),
  organization: name.replace(/\d+$/, ''),
});

function held(name: string): Promise<void> {
  began.push(name);
  return new Promise((resolve) => ends.set(name, resolve));
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function end(...names: string[]): Promise<void> {
  for (const name of names) {
    ends.get(name)?.();
    await settle();
  }
}

it('serves another account while the work of the first one is held', async () => {
  const limit = new ShareLimit({ atOnce: 3, perAccount: 2 });
  const done = ['a1', 'a2', 'a3', 'b1'].map((name) => run(limit, name));
  await settle();
  expect(began).toEqual(['a1', 'a2', 'b1']);
  expect(limit.waitingOf('a')).toBe(1);
  await end('a1');
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3']);
  await end('a2', 'a3', 'b1');
  await Promise.all(done);
});

it('serves accounts in turns', async () => {
  const limit = new ShareLimit({ atOnce: 2, perAccount: 1 });
  const names = ['a1', 'b1', 'a2', 'a3', 'c1', 'b2'];
  const done = names.map((name) => run(limit, name));
  await settle();
  await end('a1');
  expect(began).toEqual(['a1', 'b1', 'c1']);
  await end('c1');
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2']);
  await end('b1', 'a2', 'b2', 'a3');
  expect(began).toHaveLength(names.length);
  await Promise.all(done);
});

it('drops work that no one waits for any more, and goes on after work that fails', async () => {
  const limit = new ShareLimit({ perAccount: 1 });
  const first = run(limit, 'a1');
  const leaving = new AbortController();
  const second = run(limit, 'a2', leaving.signal);
  const third = limit.run(tenantOf('a3'), () => Promise.reject(new Error('It fails.'))).catch(String);
  const fourth = run(limit, 'a4', leaving.signal);
  leaving.abort(new Error('Too late.'));
  await expect(second).rejects.toThrow('Too late.');
  await expect(fourth).rejects.toThrow('Too late.');
  await expect(run(limit, 'b1', leaving.signal)).rejects.toThrow('Too late.');
  await end('a1');
  await first;
  expect(await third).toBe('Error: It fails.');
  expect(began).toEqual(['a1']);
  expect(limit.waitingOf('a')).toBe(0);
});

it('has one share for all organizations of an account, which take turns in it', async () => {
  const limit = new ShareLimit({ atOnce: 4, perAccount: 2, perOrganization: 1 });
  const names = ['ax1', 'ax2', 'ax3', 'ay1', 'az1', 'ay2', 'b1'];
  const done = names.map((name) => run(limit, name));
  await settle();
  expect(began).toEqual(['ax1', 'ay1', 'b1']);
  expect(limit.waitingOf('a')).toBe(4);
  await end('ax1');
  expect(began.slice(3)).toEqual(['az1']);
  await end('az1');
  expect(began.slice(4)).toEqual(['ax2']);
  expect(limit.uses).toMatchObject([
    { account: 'b', running: 1, waiting: 0 },
    { account: 'a', running: 2, waiting: 2 },
  ]);
  await end('ay1', 'ax2', 'ay2', 'ax3', 'b1');
  await Promise.all(done);
  expect(limit.uses).toEqual([]);
});

it('refuses a share that is everything', () => {
  expect(() => new ShareLimit({ atOnce: 1, perAccount: 1 })).toThrow(RangeError);
});
