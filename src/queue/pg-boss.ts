import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { type Db, PgBoss } from 'pg-boss';
import type { DataSource } from 'typeorm';

/** The schema of the database that holds the jobs. */
const SCHEMA = 'queue';

/**
 * A pg-boss that shares the connections of the application.
 *
 * @param schedule whether it sends the jobs of schedules when they are due
 */
export function createBoss(database: DataSource, schedule = false): PgBoss {
  // pg-boss migrates tables that are older than itself, and leaves newer ones, from a release that is being rolled out,
  // alone.
  return new PgBoss({ db: takingTurns(poolOf(database)), schema: SCHEMA, schedule });
}

/**
 * Names of the queues with a job that is due.
 *
 * One statement asks for all queues, so an idle server costs the database next to nothing. It reads one entry of the index
 * by which pg-boss takes jobs for each queue with due jobs, however many these are.
 */
export async function queuesWithDueJobs(database: DataSource): Promise<string[]> {
  const { rows } = await poolOf(database).query<{ name: string }>(
    `SELECT queue.name FROM ${SCHEMA}.queue AS queue CROSS JOIN LATERAL (
       SELECT FROM ${SCHEMA}.job
        WHERE job.name = queue.name AND state < 'active' AND NOT blocked AND start_after <= ${SCHEMA}.job_now()
        LIMIT 1
     ) AS due`,
  );
  return rows.map(({ name }) => name);
}

function poolOf(database: DataSource): Pool {
  return (database.driver as unknown as { readonly master: Pool }).master;
}

/** Runs the statements of pg-boss in the running transaction. */
export async function inRunningTransaction(database: DataSource): Promise<Db> {
  return executing((await database.createQueryRunner().connect()) as PoolClient);
}

/** Creates the tables of the queue, or brings them up to date. */
export async function migrateQueue(database: DataSource): Promise<void> {
  const boss = createBoss(database);
  await boss.start();
  await boss.stop({ graceful: false });
}

function executing(connection: Pool | PoolClient): Db {
  return { executeSql: (text, values) => connection.query(text, values as unknown[]) };
}

/**
 * The statement that takes a job counts those of its tenant that run. Two of these statements at once would each count
 * without the job of the other and exceed the limit, so all processes take turns.
 */
export function takingTurns(pool: Pool): Db {
  const { executeSql } = executing(pool);
  const turn = pLimit(1);
  return {
    executeSql: (text, values) =>
      takesJobOfTenant(text) ? turn(() => executeLocked(pool, text, values)) : executeSql(text, values),
  };
}

function takesJobOfTenant(text: string): boolean {
  return text.includes('group_filtered');
}

/** The text is the same in all processes, and another one for each queue. */
async function executeLocked(pool: Pool, text: string, values: unknown[] = []): Promise<QueryResult> {
  const key = Buffer.from(hash('sha256', text), 'hex').readInt32BE();
  const connection = await pool.connect();
  // A connection that breaks between two statements emits an error; the next statement fails then.
  connection.on('error', ignore);
  try {
    await connection.query(`BEGIN; SELECT pg_advisory_xact_lock(${key})`);
    const result = await connection.query(text, values);
    await connection.query('COMMIT');
    connection.off('error', ignore).release();
    return result;
  } catch (error) {
    // Whatever state it is in.
    connection.release(true);
    throw error;
  }
}

function ignore(): void {}
