import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { CallBudgetQueries } from '../../../src/app-submissions/app-store-connect/rate-limits/call-budget.queries.js';
import { CallBudget } from '../../../src/app-submissions/app-store-connect/rate-limits/call-budget.service.js';
import { StoreRefusal } from '../../../src/app-submissions/calls/refusals/refusal.js';
import { dataSourceOptions } from '../../../src/database/schema/data-source-options.js';
import { Sql } from '../../../src/database/sql.js';
import { TransactionalDataSource } from '../../../src/database/transactions/transactional-data-source.js';
import { cloneDatabase, dropDatabase, query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

let url: string;
const databases: TransactionalDataSource[] = [];
/** Those of two servers. */
let one: CallBudget;
let two: CallBudget;
let queries: CallBudgetQueries;

async function connect(): Promise<CallBudgetQueries> {
  const database = new TransactionalDataSource({ ...dataSourceOptions(url, 4), entities: [] });
  databases.push(database);
  await database.initialize();
  return new CallBudgetQueries(new Sql(database));
}

beforeAll(async () => {
  Logger.overrideLogger(false);
  url = await cloneDatabase(testEnvironment().templateUrl);
  queries = await connect();
  one = new CallBudget(queries);
  two = new CallBudget(await connect());
});
afterAll(async () => {
  for (const database of databases) await database.destroy();
  await dropDatabase(url);
});

const key = () => ({ keyId: 'KEY1234567', issuerId: randomUUID() });
const answer = (status: number, limit?: string, more: Record<string, string> = {}) => ({
  status,
  headers: { ...(limit !== undefined && { 'x-rate-limit': limit }), ...more },
  text: '',
});
const left = (remaining: number, hourLimit = 20) =>
  answer(200, `user-hour-lim:${hourLimit};user-hour-rem:${remaining};`);
const rows = () => query<{ calls: number }>(url, 'SELECT * FROM apple_key_calls');

async function organization(): Promise<string> {
  const id = randomUUID();
  await query(url, `INSERT INTO organizations (id, name, slug) VALUES ($1, 'Acme', $2)`, [id, `acme-${id}`]);
  return id;
}

/** Makes calls as long as they are allowed. @returns how many were */
async function callAll(
  budget: CallBudget,
  name: ReturnType<typeof key>,
  id: string,
  most: number,
): Promise<number> {
  for (let made = 0; made < most; made++) {
    try {
      await budget.take(name, id);
    } catch (error) {
      expect(error).toBeInstanceOf(StoreRefusal);
      expect(error).toMatchObject({ refusal: { does: 'wait-for-quota', retry: 'again' }, status: 0 });
      return made;
    }
    await budget.learn(name, id, answer(200, 'user-hour-lim:100;user-hour-rem:100;'));
  }
  return most;
}

const sentenceFrom = async (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as StoreRefusal).refusal.sentence,
  );

describe('calls with a key of App Store Connect', () => {
  it('end before the limit that Apple names, for all servers together', async () => {
    const [name, id] = [key(), await organization()];
    expect(await callAll(one, name, id, 60)).toBe(60);
    expect(await callAll(two, name, id, 60)).toBe(35);
    expect(await sentenceFrom(one.take(name, id))).toContain('in an hour are used up');
  });

  it('leave what Apple says that other tools need, and go on when it says more', async () => {
    const [name, id] = [key(), await organization()];
    await one.learn(name, id, left(1));
    expect(await sentenceFrom(two.take(name, id))).toContain('used up');
    // Apple's word is old: other tools may have stopped.
    await query(url, `UPDATE apple_key_calls SET answered_at = now() - interval '6 minutes'`);
    expect(await sentenceFrom(two.take(name, id))).toBe('none');
    await two.learn(name, id, left(15));
    expect(await sentenceFrom(one.take(name, id))).toBe('none');
  });

  it('are allowed again when others have left the hour', async () => {
    const [name, id] = [key(), await organization()];
    await callAll(one, name, id, 100);
    await query(url, `UPDATE apple_key_calls SET minute = minute - interval '55 minutes'`);
    expect(await sentenceFrom(one.take(name, id))).toContain('used up');
    await query(url, `UPDATE apple_key_calls SET minute = minute - interval '6 minutes'`);
    expect(await sentenceFrom(one.take(name, id))).toBe('none');
  });

  it('are shared by the organizations that use the key', async () => {
    const [name, first, second] = [key(), await organization(), await organization()];
    expect(await callAll(two, name, second, 1)).toBe(1);
    expect(await callAll(one, name, first, 100)).toBe(48);
    expect(await sentenceFrom(one.take(name, first))).toContain('had its share');
    expect(await callAll(two, name, second, 100)).toBe(46);
    // Another key is another matter.
    expect(await sentenceFrom(one.take(key(), first))).toBe('none');
  });

  it('let a newcomer make its first call, after which the others leave it its share', async () => {
    const [name, first, second] = [key(), await organization(), await organization()];
    expect(await callAll(one, name, first, 100)).toBe(95);
    expect(await sentenceFrom(two.take(name, second))).toBe('none');
    await two.learn(name, second, left(99, 100));
    await query(url, `UPDATE apple_key_calls SET calls = 60 WHERE organization_id = $1`, [first]);
    expect(await sentenceFrom(one.take(name, first))).toContain('had its share');
    expect(await sentenceFrom(two.take(name, second))).toBe('none');
  });

  it('pause for all after a burst, as long as Apple asks for', async () => {
    const [name, first, second] = [key(), await organization(), await organization()];
    await one.learn(name, first, left(15));
    await one.learn(name, first, answer(429, undefined, { 'retry-after': '40' }));
    for (const wait of [two.take(name, first), two.take(name, second)]) {
      const error = (await wait.catch((reason: unknown) => reason)) as StoreRefusal;
      expect(error.refusal.sentence).toContain('takes no more calls with this key for now');
      expect(error.refusal.afterSeconds).toBeGreaterThan(30);
      expect(error.refusal.afterSeconds).toBeLessThanOrEqual(40);
    }
    await query(url, `UPDATE apple_key_calls SET paused_until = now()`);
    expect(await sentenceFrom(two.take(name, first))).toBe('none');
  });

  it('learn nothing from an organization that only names the key of others', async () => {
    const [name, owner, forger] = [key(), await organization(), await organization()];
    await one.learn(name, owner, left(15));
    const before = await rows();
    const refused = 'user-hour-lim:1;user-hour-rem:0;';
    await two.learn(name, forger, answer(401, refused));
    await two.learn(name, forger, answer(429, refused, { 'retry-after': '3600' }));
    await two.learn(name, forger, answer(403));
    await two.learn(name, forger, answer(503, refused, { 'retry-after': '3600' }));
    await two.learn(name, forger, answer(302, refused));
    expect(await rows()).toEqual(before);
    expect(await callAll(one, name, owner, 90)).toBe(90);
  });

  it('count refusals that Apple has authenticated', async () => {
    const [name, id] = [key(), await organization()];
    await one.learn(name, id, answer(409, 'user-hour-lim:20;user-hour-rem:0;'));
    expect(await sentenceFrom(one.take(name, id))).toContain('used up');
  });

  it('are all counted when they happen at the same time', async () => {
    const [name, id] = [key(), await organization()];
    const work = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? one : two).learn(name, id, left(9)),
    );
    await Promise.all(work);
    expect(await queries.useOf('x', id)).toMatchObject({ own: 0, all: 0, organizations: 1 });
    const counted = await query(
      url,
      'SELECT sum(calls)::int AS n FROM apple_key_calls WHERE organization_id = $1',
      [id],
    );
    expect(counted).toEqual([{ n: 40 }]);
  });

  it('go on when a call cannot be counted', async () => {
    const [name, id] = [key(), randomUUID()];
    await expect(one.learn(name, id, left(9))).resolves.toBeUndefined();
  });

  it('are deleted when their hour is over', async () => {
    const [name, id] = [key(), await organization()];
    await query(url, `UPDATE apple_key_calls SET minute = minute - interval '2 hours 1 minute'`);
    await one.learn(name, id, left(9));
    while ((await queries.deleteOld(3)) === 3);
    expect(await rows()).toHaveLength(1);
  });
});
