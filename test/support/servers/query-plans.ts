import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../eventually.js';

/** A node of a plan, as `EXPLAIN (ANALYZE, FORMAT JSON)` reports it: what is looked at here. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  /** Of an index-only scan: rows for which the table was read all the same. */
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A statement that ran, with how it ran. */
export interface Statement {
  readonly sql: string;
  /** All nodes of the plan. */
  readonly nodes: readonly PlanNode[];
}

/** What `auto_explain` writes, which begins with this and ends with a brace of the same depth. */
const ENTRY = /plan:\n\t(\{\n.*?\n\t\})/gs;

/**
 * Lets PostgreSQL log the plan of every statement of a database, for connections that are opened afterwards. Reading a
 * whole table, which is the best way in a small one, is the last resort: what still does so has no index for it.
 */
export async function logPlans(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_format': 'json',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    enable_seqscan: 'off',
    random_page_cost: '1.1',
  };
  for (const [key, value] of Object.entries(settings)) {
    await query(databaseUrl, `ALTER DATABASE ${name} SET ${key} = '${value}'`);
  }
}

/**
 * The statements that run while `work` does, in databases whose plans are logged.
 *
 * @param databaseUrl one of them
 */
export async function statementsOf(databaseUrl: string, work: () => Promise<unknown>): Promise<Statement[]> {
  const file = join(testEnvironment().dataDir, 'postgres/server.log');
  const { size } = await stat(file);
  await work();
  // Backends write in the order of the statements, each its own: the last one says that all is there.
  const marker = `end of ${Math.random()}`;
  await logged(databaseUrl, `SELECT '${marker}' AS marker`);
  let text = '';
  await eventually(async () => {
    text = await readFrom(file, size);
    expect(text).toContain(marker);
  });
  return [...text.matchAll(ENTRY)].flatMap(([, json = '']) => {
    const { 'Query Text': sql, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
    return sql.includes(marker) ? [] : [{ sql, nodes: nodesOf(plan) }];
  });
}

/** Runs a query over a connection of its own: one that was kept may be older than `logPlans`. */
async function logged(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

async function readFrom(file: string, position: number): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(size - position);
    await handle.read(buffer, 0, buffer.length, position);
    return buffer.toString();
  } finally {
    await handle.close();
  }
}
