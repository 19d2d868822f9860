import { readFile } from 'node:fs/promises';
import { query } from '../../test/setup/databases.ts';
import type { ServerProcess } from '../../test/setup/server.ts';
import { familyOf } from '../processes.ts';
import type { Row } from '../results.ts';

/** Ticks per second in `/proc/<pid>/stat`. */
const TICKS = 100;
/** Statements that a profile shows. */
const SHOWN = 12;
/** Settings of PostgreSQL for the profile of statements. */
export const STATEMENT_SETTINGS = { shared_preload_libraries: 'pg_stat_statements' };

/** What the time of a phase goes to: processor time by process, and statements of the database. */
export class Profile {
  private readonly before: readonly number[];
  private readonly databaseUrl: string;
  private readonly pids: Readonly<Record<string, number>>;
  private readonly withStatements: boolean;

  private constructor(
    databaseUrl: string,
    pids: Readonly<Record<string, number>>,
    before: readonly number[],
    withStatements: boolean,
  ) {
    this.databaseUrl = databaseUrl;
    this.pids = pids;
    this.before = before;
    this.withStatements = withStatements;
  }

  /** @param withStatements whether PostgreSQL runs with `STATEMENT_SETTINGS` */
  static async start(
    databaseUrl: string,
    servers: readonly ServerProcess[],
    withStatements: boolean,
  ): Promise<Profile> {
    const [row] = await query<{ pid: string }>(databaseUrl, `SELECT pg_read_file('postmaster.pid') AS pid`);
    const pids = {
      'this benchmark': process.pid,
      ...Object.fromEntries(servers.map((server, n) => [`server ${n + 1}`, server.process.pid ?? 0])),
      PostgreSQL: Number.parseInt(row?.pid ?? '', 10),
    };
    if (withStatements) {
      await query(databaseUrl, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
      await query(databaseUrl, 'SELECT pg_stat_statements_reset()');
    }
    return new Profile(databaseUrl, pids, await timesOf(pids), withStatements);
  }

  /** Processor time of each process. @param jobs that were done in this time */
  async processors(jobs: number): Promise<Row[]> {
    const after = await timesOf(this.pids);
    return Object.keys(this.pids).map((name, index) => {
      const used = (after[index] ?? 0) - (this.before[index] ?? 0);
      return { process: name, 'processor time of a job': `${((used / jobs) * 1000).toFixed(1)} ms` };
    });
  }

  /** The statements that took the most time; none without `STATEMENT_SETTINGS`. */
  statements(jobs: number): Promise<Row[]> {
    if (!this.withStatements) return Promise.resolve([]);
    return query<Record<string, string>>(
      this.databaseUrl,
      `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 90) AS statement, calls::int,
              round((total_exec_time / $1)::numeric, 2)::text || ' ms' AS "time of a job",
              round(mean_exec_time::numeric, 2)::text || ' ms' AS "of a call"
         FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT ${SHOWN}`,
      [jobs],
    );
  }
}

function timesOf(pids: Readonly<Record<string, number>>): Promise<number[]> {
  return Promise.all(Object.values(pids).map(timeOf));
}

/** Processor time of a process, of its children, and of those that have ended, in seconds. */
async function timeOf(pid: number): Promise<number> {
  const [own = 0, ...children] = await Promise.all(
    (pid === process.pid ? [pid] : await familyOf(pid)).map(async (member) => {
      const text = await readFile(`/proc/${member}/stat`, 'utf8').catch(() => '');
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      // User and system time, and for the first process those of the children that it has waited for.
      return (
        (fields[11] ?? 0) + (fields[12] ?? 0) + (member === pid ? (fields[13] ?? 0) + (fields[14] ?? 0) : 0)
      );
    }),
  );
  return (own + children.reduce((sum, ticks) => sum + ticks, 0)) / TICKS;
}
