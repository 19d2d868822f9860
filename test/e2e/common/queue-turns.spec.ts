import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { queueLimits, type SharedCapacity } from '../../../src/common/background/shared-capacity.js';
import { nextTurn, takingTurns } from '../../../src/queue/pg-boss.js';
import { cloneDatabase, dropDatabase } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

const QUEUE = 'turns';

let url: string;
let pool: pg.Pool;
let boss: PgBoss;
/** Statements of connections that the pool has lent, in their order: pg-boss has tasks of its own, too. */
let sent: { readonly connection: pg.PoolClient; readonly text: string }[];

beforeAll(async () => {
  url = await cloneDatabase(testEnvironment().templateUrl);
  pool = new pg.Pool({ connectionString: url });
  pool.on('connect', (connection) => {
    const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
    Object.assign(connection, {
      query: (...args: unknown[]) => {
        if (typeof args[0] === 'string') sent.push({ connection, text: args[0] });
        return query(...args);
      },
    });
  });
  sent = [];
  boss = new PgBoss({ db: takingTurns(pool), schema: 'queue', supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue(QUEUE);
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await pool.end();
  await dropDatabase(url);
});

// `takingTurns` recognizes the statement by its text, which another version of pg-boss may change.
it('locks the statement with which the installed pg-boss takes a job of a tenant', async () => {
  for (let job = 0; job < 2; job++) await boss.send(QUEUE, {}, { group: { id: 'tenant' } });
  sent = [];
  const taken = await boss.fetch(QUEUE, { groupConcurrency: 1 });
  expect(taken).toHaveLength(1);
  const isLock = (text: string): boolean => text.startsWith('BEGIN; SELECT pg_advisory_xact_lock(');
  const locking = sent.find(({ text }) => isLock(text))?.connection;
  const texts = sent.filter(({ connection }) => connection === locking).map(({ text }) => text);
  expect(texts.slice(texts.findIndex(isLock) + 1, 3 + texts.findIndex(isLock))).toEqual([
    expect.stringMatching(/UPDATE/),
    'COMMIT',
  ]);
  expect(await boss.fetch(QUEUE, { groupConcurrency: 1 })).toEqual([]);
});

it('takes other jobs without a lock', async () => {
  await boss.send(QUEUE, {});
  sent = [];
  await boss.fetch(QUEUE);
  expect(sent.filter(({ text }) => text.includes('pg_advisory_xact_lock'))).toEqual([]);
});

describe('turns', () => {
  const db = (): ReturnType<typeof takingTurns> => takingTurns(pool);
  /** Another process. */
  let otherPool: pg.Pool;
  let otherBoss: PgBoss;
  beforeAll(async () => {
    otherPool = new pg.Pool({ connectionString: url });
    const options = { schema: 'queue', migrate: false, supervise: false, schedule: false };
    otherBoss = await new PgBoss({ db: takingTurns(otherPool), ...options }).start();
  });
  afterAll(async () => {
    await otherBoss.stop({ graceful: false });
    await otherPool.end();
  });

  let queue: string;
  beforeEach(async () => {
    queue = `turns-${Math.random().toString(36).slice(2)}`;
    await boss.createQueue(queue);
  });

  /** Sends a job as `QueueService` does. Its name: the account, the organization, a number. */
  const send = async (job: string): Promise<void> => {
    const [account = '', letter = ''] = job;
    const organization = account + letter;
    const turn = await nextTurn(db(), { name: queue, account, organization });
    await boss.send(queue, { job }, { group: { id: account, tier: organization }, priority: -turn });
  };

  /** Takes the next job, and leaves it running. */
  const begin = async (worker = boss): Promise<{ readonly id: string; readonly job: string } | null> => {
    const [taken] = await worker.fetch<{ job: string }>(queue, { groupConcurrency: 4 });
    return taken === undefined ? null : { id: taken.id, job: taken.data.job };
  };

  /** Does all jobs, one after the other. @returns them in their order */
  const doAll = async (): Promise<string[]> => {
    const done: string[] = [];
    for (let taken = await begin(); taken !== null; taken = await begin()) {
      done.push(taken.job);
      await boss.complete(queue, taken.id);
    }
    return done;
  };

  it('never let an account wait for a second work of another one, whatever that has sent', async () => {
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      for (const number of [1, 2]) await send(`x${letter}${number}`);
    }
    const first = await begin();
    expect(first?.job).toBe('xa1');
    await send('ya1');
    await send('za1');
    await boss.complete(queue, first?.id ?? '');
    expect((await doAll()).slice(0, 2)).toEqual(['ya1', 'za1']);
  });

  it.each(Object.entries<SharedCapacity>(queueLimits))(
    'of %s leave room for another account beside thirty organizations of one',
    async (_name, { perAccount }) => {
      for (let number = 0; number < 30; number++) await send(`x${String.fromCodePoint(97 + number)}1`);
      const take = async (): Promise<string | undefined> =>
        (await boss.fetch<{ job: string }>(queue, { groupConcurrency: perAccount }))[0]?.data.job;
      for (let taken = 0; taken < Math.min(perAccount, 30); taken++) expect(await take()).toMatch(/^x/);
      await send('ya1');
      expect(await take()).toBe('ya1');
      if (perAccount < 30) expect(await take()).toBeUndefined();
    },
  );

  it('serve the organizations of an account in turns, and keep the order of each', async () => {
    for (const job of ['xa1', 'xa2', 'xa3', 'xb1', 'xb2', 'xc1']) await send(job);
    expect(await doAll()).toEqual(['xa1', 'xa2', 'xb1', 'xa3', 'xc1', 'xb2']);
  });

  it('keep the order of an organization, also of jobs that come while others run', async () => {
    for (const job of ['xa1', 'xa2', 'xa3']) await send(job);
    const [one, two] = [await begin(), await begin()];
    await send('xa4');
    await boss.complete(queue, one?.id ?? '');
    await send('xa5');
    await boss.complete(queue, two?.id ?? '');
    await send('xa6');
    expect(await doAll()).toEqual(['xa3', 'xa4', 'xa5', 'xa6']);
  });

  it('do not starve an account with much work while others come again and again', async () => {
    for (let number = 1; number <= 6; number++) await send(`xa${number}`);
    const order: string[] = [];
    for (let round = 1; round <= 12; round++) {
      await send(`ya${round}`);
      const taken = await begin();
      order.push(taken?.job.charAt(0) ?? '');
      await boss.complete(queue, taken?.id ?? '');
    }
    expect(order.join('')).toMatch(/^(x?y?){12}$/);
    expect(order.filter((account) => account === 'x').length).toBeGreaterThanOrEqual(5);
  });

  it('serve what twenty members of an organization send as that of one account, in two processes', async () => {
    for (let member = 1; member <= 20; member++) await send(`xa${member}`);
    const running = [];
    for (const worker of [boss, otherBoss, boss, otherBoss]) running.push(await begin(worker));
    expect(running.map((taken) => taken?.job)).toEqual(['xa1', 'xa2', 'xa3', 'xa4']);
    expect([await begin(), await begin(otherBoss)]).toEqual([null, null]);
    // One of another account, and one of another organization.
    await send('ya1');
    await send('xb1');
    expect((await begin(otherBoss))?.job).toBe('ya1');
    expect(await begin(otherBoss)).toBeNull();
    for (const taken of running) await boss.complete(queue, taken?.id ?? '');
    const rest = await doAll();
    // It waits for no more than two.
    expect(rest.indexOf('xb1')).toBeLessThanOrEqual(2);
    expect(rest.filter((job) => job !== 'xb1')).toEqual(Array.from({ length: 16 }, (_, n) => `xa${n + 5}`));
  });

  it('let a user who serves thirty customers take the turn of each, in two processes', async () => {
    const customers = Array.from({ length: 30 }, (_, n) => String.fromCodePoint(0x100 + n));
    const [busy = ''] = customers;
    for (let number = 1; number <= 10; number++) await send(`${busy}a${number}`);
    const running = [];
    for (const worker of [boss, otherBoss, boss, otherBoss]) running.push(await begin(worker));
    for (const customer of customers.slice(1)) await send(`${customer}a1`);
    for (const taken of running) await boss.complete(queue, taken?.id ?? '');
    const order: string[] = [];
    for (const worker of Array.from({ length: 15 }, () => [boss, otherBoss]).flat()) {
      const taken = await begin(worker);
      order.push(taken?.job.charAt(0) ?? '');
      await worker.complete(queue, taken?.id ?? '');
    }
    // Each once, and no one waits for a second job of the busy one.
    expect(order.toSorted()).toEqual(customers);
    expect(await doAll()).toEqual(Array.from({ length: 5 }, (_, n) => `${busy}a${n + 6}`));
  });
});
