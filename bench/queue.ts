import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { query } from '../test/setup/databases.ts';
import { withInstance } from './instance.ts';
import { median, percentile, rounded } from './measure.ts';
import { Results, type Row } from './results.ts';

/**
 * `npm run bench:queue`: what it costs to take a job behind many that wait for the share of their organization, with the
 * statement of the servers. docs/performance.md has the figures.
 */

const FETCHES = 200;
const SHARE = 2;
const QUEUE = 'bench';

const results = new Results('queue');
await withInstance(async ({ server, databaseUrl }) => {
  await server.stop();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    schema: 'queue',
    supervise: false,
    schedule: false,
  });
  await boss.start();
  await boss.createQueue(QUEUE);
  const rows: Row[] = [];
  for (const waiting of [0, 1000, 10_000]) rows.push(await measure(boss, databaseUrl, waiting));
  results.add('Taking a job', rows);
  await boss.stop({ graceful: false });
  await pool.end();
});
await results.write();

/** @param waiting jobs of one organization that has its share already */
async function measure(boss: PgBoss, databaseUrl: string, waiting: number): Promise<Row> {
  await query(databaseUrl, `DELETE FROM queue.job WHERE name = $1`, [QUEUE]);
  const first = { id: randomUUID() };
  await boss.insert(
    QUEUE,
    Array.from({ length: waiting + SHARE }, () => ({ group: first })),
  );
  for (let n = 0; n < SHARE; n++) await take(boss, true);
  await query(databaseUrl, 'VACUUM ANALYZE queue.job');
  const behind: number[] = [];
  const none: number[] = [];
  for (let n = 0; n < FETCHES; n++) {
    none.push(await take(boss, false));
    await boss.send(QUEUE, {}, { group: { id: randomUUID() } });
    behind.push(await take(boss, true));
  }
  return {
    waiting,
    'takes one, median (ms)': rounded(median(behind), 2),
    'takes one, 95 % (ms)': rounded(percentile(behind, 0.95), 2),
    'finds none, median (ms)': rounded(median(none), 2),
  };
}

/** @returns milliseconds */
async function take(boss: PgBoss, finds: boolean): Promise<number> {
  const begin = performance.now();
  const jobs = await boss.fetch(QUEUE, { groupConcurrency: SHARE });
  const milliseconds = performance.now() - begin;
  if (jobs.length !== (finds ? 1 : 0)) throw new Error(`It took ${jobs.length} jobs.`);
  return milliseconds;
}
