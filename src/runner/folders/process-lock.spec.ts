import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/processes/temporary-folders.js';
import { isAlive, ownIdentity } from './process-identity.js';
import { type LockResult, tryLock } from './process-lock.js';

const dead = JSON.stringify({ ...ownIdentity(), started: 'long ago' });
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder, 'lock.json');
});

const lock = (): Promise<LockResult> => tryLock(path, (owner) => isAlive(owner) === false);

async function release(result: LockResult | undefined): Promise<void> {
  if (result?.owner !== null) throw new Error('The lock is taken.');
  await result.release();
}

it('is taken once, and can be taken after it was given back', async () => {
  const first = await lock();
  expect(await lock()).toMatchObject({ owner: { pid: process.pid } });
  await release(first);
  await release(await lock());
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['a dead process', dead],
  ['an owner that cannot be read', 'no JSON'],
])('of %s is taken over by exactly one', async (_what, text) => {
  writeFileSync(path, text);
  const results = await Promise.all(Array.from({ length: 30 }, lock));
  const taken = results.filter(({ owner }) => owner === null);
  expect(taken).toHaveLength(1);
  await release(taken[0]);
  expect(readdirSync(folder)).toEqual([]);
});

it('is taken over also when a process died while it took it over', async () => {
  writeFileSync(path, dead);
  writeFileSync(`${path}.removing`, dead);
  await release(await lock());
});

it('of a later owner survives the release of an earlier one', async () => {
  const first = await lock();
  writeFileSync(path, dead);
  const second = await lock();
  await release(first);
  expect(await lock()).toMatchObject({ owner: { pid: process.pid } });
  await release(second);
});
