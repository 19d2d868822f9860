import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { type Db, PgBoss } from 'pg-boss';
import type { DataSource } from 'typeorm';

/** The schema of the database that holds the jobs. */
const SCHEMA = 'queue';

/** SQL: a job could begin now. */
const IS_DUE = `state < 'active' AND NOT blocked AND start_after <= ${SCHEMA}.job_now()`;

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
        WHERE job.name = queue.name AND ${IS_DUE}
        LIMIT 1
     ) AS due`,
  );
  return rows.map(({ name }) => name);
}

/** Whose turn is to be found. */
interface TurnOf {
  readonly name: string;
  readonly account: string;
  readonly organization: string;
}

/**
 * When a new job is to begin, compared with others of its queue: the lower, the sooner. Accounts take turns, and so do the
 * organizations of an account, whose own jobs keep their order: fair queueing by start tags (Goyal, Vin and Cheng, 1996). A
 * new account is served next, after the job that was started last.
 *
 * @param db in which the job is inserted
 */
export async function nextTurn(db: Db, { name, account, organization }: TurnOf): Promise<number> {
  const { rows } = await db.executeSql(
    `WITH waiting AS (
       SELECT group_tier AS organization, -priority AS turn FROM ${SCHEMA}.job
        WHERE name = $1 AND group_id = $2 AND ${IS_DUE}
     ), shares AS (
       SELECT organization, count(*) AS jobs, max(turn) AS last FROM waiting GROUP BY organization
     ), own AS (
       SELECT coalesce(max(jobs), 0) AS jobs, max(last) AS last FROM shares WHERE organization = $3
     ), others AS (
       SELECT coalesce(sum(least(shares.jobs, own.jobs + 1)), 0) AS before FROM shares, own
        WHERE shares.organization IS DISTINCT FROM $3
     )
     SELECT greatest(
       coalesce(
         -(SELECT min(priority) FROM ${SCHEMA}.job WHERE name = $1 AND state = 'active'),
         -(SELECT max(priority) FROM ${SCHEMA}.job WHERE name = $1 AND ${IS_DUE}),
         0),
       (SELECT last + 1 FROM own),
       (SELECT min(turn) FROM waiting) + (SELECT jobs FROM own) + (SELECT before FROM others)
     )::int AS turn`,
    [name, account, organization],
  );
  return (rows[0] as { readonly turn: number }).turn;
}

/** A job that is due and has not begun. */
export interface WaitingJob {
  readonly id: string;
  readonly name: string;
  readonly data: object;
  /** How often it was found so. */
  readonly minutes: number;
}

/** Counts that jobs wait, of these queues. @returns those that were found so often, or more */
export async function countWaits(
  database: DataSource,
  names: readonly string[],
  atLeast: number,
): Promise<WaitingJob[]> {
  const { rows } = await poolOf(database).query<WaitingJob>(
    `WITH waiting AS (
       SELECT id FROM ${SCHEMA}.job
        WHERE name = ANY($1) AND ${IS_DUE}
        FOR UPDATE SKIP LOCKED
     ), counted AS (
       UPDATE ${SCHEMA}.job SET data = data || jsonb_build_object('waits', coalesce((data ->> 'waits')::int, 0) + 1)
        WHERE name = ANY($1) AND id IN (SELECT id FROM waiting)
       RETURNING id, name, data, (data ->> 'waits')::int AS minutes
     )
     SELECT * FROM counted WHERE minutes >= $2`,
    [names, atLeast],
  );
  return rows;
}

/** Whether a queue has due jobs of other accounts. */
export async function doOthersWait(database: DataSource, name: string, account: string): Promise<boolean> {
  const { rows } = await poolOf(database).query(
    `SELECT FROM ${SCHEMA}.job
      WHERE name = $1 AND ${IS_DUE} AND group_id IS DISTINCT FROM $2
      LIMIT 1`,
    [name, account],
  );
  return rows.length > 0;
}

/** @returns false: it has begun in the meantime */
export async function removeWaiting(db: Db, id: string): Promise<boolean> {
  const { rows } = await db.executeSql(
    `DELETE FROM ${SCHEMA}.job WHERE id = $1 AND state < 'active' RETURNING id`,
    [id],
  );
  return rows.length > 0;
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
