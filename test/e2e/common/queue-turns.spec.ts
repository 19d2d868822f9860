import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { takingTurns } from '../../../src/queue/pg-boss.js';
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
