import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { takingTurns } from './pg-boss.js';

const TAKES = 'WITH group_filtered AS (SELECT 1) UPDATE queue.job';
let statements: string[];
let released: (boolean | undefined)[];

/** A connection whose every statement succeeds until one of them breaks it. */
class FakeConnection extends EventEmitter {
  async query(text: string): Promise<{ rows: unknown[] }> {
    statements.push(text);
    await new Promise((resolve) => setImmediate(resolve));
    if (text !== 'BREAK' + TAKES) return { rows: [text] };
    this.emit('error', new Error('The connection is lost.'));
    throw new Error('The connection is lost.');
  }

  release(broken?: boolean): void {
    released.push(broken);
  }
}

const connections: FakeConnection[] = [];
const pool = {
  query: (text: string) => Promise.resolve({ rows: [text] }),
  connect: () => {
    const connection = new FakeConnection();
    connections.push(connection);
    return Promise.resolve(connection);
  },
} as unknown as Pool;

beforeEach(() => {
  statements = [];
  released = [];
  connections.length = 0;
});

it('runs statements that take jobs of tenants one after the other, locked', async () => {
  const db = takingTurns(pool);
  const results = await Promise.all([TAKES, TAKES, 'SELECT 1'].map((text) => db.executeSql(text)));
  expect(results).toEqual([{ rows: [TAKES] }, { rows: [TAKES] }, { rows: ['SELECT 1'] }]);
  const locked = [expect.stringMatching(/^BEGIN; SELECT pg_advisory_xact_lock\(-?\d+\)$/), TAKES, 'COMMIT'];
  expect(statements).toEqual([...locked, ...locked]);
  expect(released).toEqual([undefined, undefined]);
  expect(connections.flatMap((connection) => connection.listeners('error'))).toEqual([]);
});

it('goes on after a connection is lost', async () => {
  const db = takingTurns(pool);
  await expect(db.executeSql('BREAK' + TAKES)).rejects.toThrow('The connection is lost.');
  expect(released).toEqual([true]);
  expect(await db.executeSql(TAKES)).toEqual({ rows: [TAKES] });
});
