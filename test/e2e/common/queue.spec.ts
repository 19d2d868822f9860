import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { takingTurns } from '../../../src/queue/pg-boss.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

/** As many processes, each with a queue of its own on the same database. */
const PROCESSES = 6;
const SHARE = 2;

const bosses: PgBoss[] = [];
const pools: pg.Pool[] = [];

beforeAll(async () => {
  for (let n = 0; n < PROCESSES; n++) {
    const pool = new pg.Pool({ connectionString: testEnvironment().databaseUrl, max: 2 });
    pools.push(pool);
    const boss = new PgBoss({
      db: takingTurns(pool),
      schema: 'queue',
      migrate: false,
      supervise: false,
      schedule: false,
    });
    bosses.push(await boss.start());
  }
});

afterAll(async () => {
  await Promise.all(bosses.map((boss) => boss.stop({ graceful: false })));
  await Promise.all(pools.map((pool) => pool.end()));
});

it('gives a tenant no more than its share, when all processes look for jobs at the same time', async () => {
  const [first] = bosses;
  for (let round = 0; round < 10; round++) {
    const name = `test-${randomUUID()}`;
    await first?.createQueue(name);
    const group = { id: randomUUID() };
    await first?.insert(
      name,
      Array.from({ length: PROCESSES }, () => ({ group })),
    );
    const taken = await Promise.all(bosses.map((boss) => boss.fetch(name, { groupConcurrency: SHARE })));
    expect(taken.flat()).toHaveLength(SHARE);
    await first?.deleteQueue(name);
    await query(testEnvironment().databaseUrl, 'DELETE FROM queue.job WHERE name = $1', [name]);
  }
});
