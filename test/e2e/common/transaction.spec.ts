import type pg from 'pg';
import type { Logger } from 'typeorm';
import { actingAs } from '../../../src/database/transactions/actor.js';
import { onAnnouncement } from '../../../src/database/transactions/announcements.js';
import { dataSourceOptions } from '../../../src/database/schema/data-source-options.js';
import { Sql } from '../../../src/database/sql.js';
import {
  afterCommit,
  isInTransaction,
  outsideTransaction,
  parallelUnlessInTransaction,
  savepoint,
  snapshot,
  transaction,
} from '../../../src/database/transactions/transaction.js';
import {
  setAway,
  TransactionalDataSource,
} from '../../../src/database/transactions/transactional-data-source.js';
import { cloneDatabase, dropDatabase } from '../../setup/databases.js';
import { eventually } from '../../support/eventually.js';
import { testEnvironment } from '../../setup/test-environment.js';

/** Statements that the data source has sent. */
const sent: string[] = [];
const recording = {
  logQuery: (query: string) => void sent.push(query),
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
} as unknown as Logger;

let database: TransactionalDataSource;
let sql: Sql;
let url: string;

beforeAll(async () => {
  url = await cloneDatabase(testEnvironment().templateUrl);
  database = new TransactionalDataSource({
    ...dataSourceOptions(url, 3),
    entities: [],
    logging: ['query'],
    logger: recording,
  });
  await database.initialize();
  sql = new Sql(database);
  await sql.query('CREATE TABLE notes (id text PRIMARY KEY)');
});
afterAll(async () => {
  await database.destroy();
  await dropDatabase(url);
});
beforeEach(async () => {
  await sql.query('DELETE FROM notes');
  sent.length = 0;
});

const insert = (id: string): Promise<number> => sql.execute('INSERT INTO notes (id) VALUES ($1)', [id]);
const notes = async (): Promise<string[]> =>
  (await outsideTransaction(() => sql.query<{ id: string }>('SELECT id FROM notes ORDER BY id'))).map(
    ({ id }) => id,
  );
const deadlock = (): Promise<unknown> =>
  sql.query(`DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$`);
const fails = (code: string) => expect.objectContaining({ driverError: expect.objectContaining({ code }) });

const actor = {
  userId: 'u',
  tokenId: null,
  session: false,
  address: null,
  userAgent: null,
  requestId: 'r',
  operation: 'Notes_create',
};

describe('transaction', () => {
  it('commits all statements, or none', async () => {
    await transaction(async () => {
      await insert('a');
      expect(await notes()).toEqual([]);
      await insert('b');
    });
    await expect(
      transaction(async () => {
        await insert('c');
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect(await notes()).toEqual(['a', 'b']);
  });

  it('joins the running one without a statement of its own', async () => {
    await transaction(() => transaction(() => insert('a')));
    expect(sent).toEqual(['START TRANSACTION', 'INSERT INTO notes (id) VALUES ($1)', 'COMMIT']);
  });

  it('is aborted by an error that its work catches', async () => {
    const caught = transaction(async () => {
      await insert('a');
      await insert('a').catch(() => undefined);
      await insert('b');
    });
    await expect(caught).rejects.toEqual(fails('25P02'));
    expect(await notes()).toEqual([]);
  });

  it('is repeated after a deadlock, as a whole', async () => {
    let outer = 0;
    let inner = 0;
    await transaction(async () => {
      outer++;
      await insert('a');
      await transaction(async () => {
        if (++inner === 1) await deadlock();
      });
    });
    expect({ outer, inner }).toEqual({ outer: 2, inner: 2 });
    expect(await notes()).toEqual(['a']);
  });

  it('gives up after three deadlocks', async () => {
    let attempts = 0;
    const failing = transaction(async () => {
      attempts++;
      await deadlock();
    });
    await expect(failing).rejects.toEqual(fails('40P01'));
    expect(attempts).toBe(3);
  });

  it('refuses statements of work that outlives it', async () => {
    const end = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    await transaction(async () => {
      late = end.promise.then(() => insert('late'));
      await insert('a');
    });
    end.resolve();
    await expect(late).rejects.toThrow('The transaction has ended.');
    expect(await notes()).toEqual(['a']);
  });

  it('leaves alone what runs outside of it', async () => {
    await expect(
      transaction(async () => {
        await insert('a');
        await outsideTransaction(() => insert('b'));
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect(await notes()).toEqual(['b']);
  });

  it('sets the actor once, in the outermost', async () => {
    const [row] = await actingAs(actor, () =>
      transaction(() =>
        savepoint(() =>
          transaction(() => sql.query<{ actor: string }>(`SELECT current_setting('slipway.actor') AS actor`)),
        ),
      ),
    );
    expect(JSON.parse(row?.actor ?? '')).toEqual(actor);
    expect(sent.filter((query) => query.includes('set_config'))).toHaveLength(1);
  });

  it('of a request notifies this process of what it announces, when it is committed', async () => {
    const received: string[][] = [];
    onAnnouncement((topic, payload) => received.push([topic, payload]));
    const announce = (topic: string, payload: string): Promise<unknown> =>
      sql.query('SELECT announce($1, $2)', [topic, payload]);
    const write = (): Promise<void> =>
      transaction(async () => {
        await announce('a', '1 and more');
        await announce('a', '1 and more');
        await savepoint(() => announce('b', '2'));
        await savepoint(async () => {
          await announce('c', '3');
          throw new Error('refused');
        }).catch(() => undefined);
        expect(received).toEqual([]);
      });
    await write();
    await actingAs(actor, () => snapshot(notes));
    await actingAs(actor, () => announce('d', '4'));
    await expect(
      actingAs(actor, () =>
        transaction(async () => {
          await announce('e', '5');
          throw new Error('refused');
        }),
      ),
    ).rejects.toThrow('refused');
    expect(received).toEqual([]);
    await actingAs(actor, write);
    expect(received).toEqual([
      ['a', '1 and more'],
      ['b', '2'],
    ]);
    await actingAs(actor, () => transaction(() => insert('x')));
    expect(received).toHaveLength(2);
  });

  it('of a request notifies this process also if the commit fails, because it may have taken effect', async () => {
    const received: string[] = [];
    onAnnouncement((topic) => received.push(topic));
    const committing = actingAs(actor, () =>
      transaction(async () => {
        await sql.query(
          'CREATE TEMP TABLE twice (id int UNIQUE DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP',
        );
        await sql.query('INSERT INTO twice VALUES (1), (1)');
        await sql.query(`SELECT announce('a', '1')`);
      }),
    );
    await expect(committing).rejects.toEqual(fails('23505'));
    expect(received).toEqual(['a']);
  });

  it('runs parallel reads one after the other', async () => {
    let running = 0;
    const read = async (): Promise<number> => {
      const parallel = ++running;
      await sql.query('SELECT pg_sleep(0.02)');
      running--;
      return parallel;
    };
    expect(await transaction(() => parallelUnlessInTransaction(read, read))).toEqual([1, 1]);
    expect(await parallelUnlessInTransaction(read, read)).toEqual([1, 2]);
  });
});

describe('a transaction while no connection can be opened', () => {
  const inTransaction = async (): Promise<number> => {
    const [row] = await sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    return row?.count ?? 0;
  };

  afterEach(() => setAway(null));

  it('is committed on the connection that it has', async () => {
    await transaction(async () => {
      await insert('a');
      setAway('ECONNREFUSED');
      await insert('b');
    });
    expect(sent).toContain('COMMIT');
    await expect(transaction(() => insert('c'))).rejects.toMatchObject({ reason: 'ECONNREFUSED' });
    setAway(null);
    expect(await notes()).toEqual(['a', 'b']);
  });

  it('is rolled back on the connection that it has', async () => {
    const refused = transaction(async () => {
      await insert('a');
      setAway('ECONNREFUSED');
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    setAway(null);
    expect(await inTransaction()).toBe(0);
    expect(await notes()).toEqual([]);
  });

  it('ends with its connection when it cannot be rolled back', async () => {
    const broken = transaction(async () => {
      await insert('a');
      const client = (await database.createQueryRunner().connect()) as pg.Client;
      const query = client.query.bind(client) as (...query: unknown[]) => Promise<unknown>;
      client.query = ((...args: unknown[]) =>
        args[0] === 'ROLLBACK'
          ? Promise.reject(new Error('Not sent.'))
          : query(...args)) as typeof client.query;
      throw new Error('refused');
    });
    await expect(broken).rejects.toThrow('refused');
    await eventually(async () => expect(await inTransaction()).toBe(0));
    expect(await notes()).toEqual([]);
  });
});

describe('savepoint', () => {
  it('undoes its own work only', async () => {
    await transaction(async () => {
      await insert('a');
      await savepoint(() => insert('a')).catch(() => undefined);
      await savepoint(() => savepoint(() => insert('b')));
    });
    expect(await notes()).toEqual(['a', 'b']);
  });

  it('opens a transaction where none is running', async () => {
    const failing = savepoint(async () => {
      await insert('a');
      await insert('a');
    });
    await expect(failing).rejects.toEqual(fails('23505'));
    expect(await notes()).toEqual([]);
  });

  it('refuses a sibling and other statements while it is open', async () => {
    await transaction(async () => {
      const open = savepoint(() => sql.query('SELECT pg_sleep(0.02)'));
      await expect(savepoint(() => insert('a'))).rejects.toThrow('A savepoint is open.');
      await expect(insert('b')).rejects.toThrow('A savepoint is open.');
      await open;
      await insert('c');
    });
    expect(await notes()).toEqual(['c']);
  });

  it('does not repeat a deadlock: the outermost transaction does', async () => {
    let attempts = 0;
    await transaction(() =>
      savepoint(async () => {
        if (++attempts === 1) await deadlock();
        await insert('a');
      }),
    );
    expect(attempts).toBe(2);
    expect(await notes()).toEqual(['a']);
  });
});

describe('snapshot', () => {
  it('reads one state of the database', async () => {
    await snapshot(async () => {
      await sql.query('SELECT 1 FROM notes');
      await outsideTransaction(() => insert('a'));
      expect(await sql.query('SELECT FROM notes')).toHaveLength(0);
      expect(await snapshot(() => sql.query('SELECT FROM notes'))).toHaveLength(0);
    });
    expect(await notes()).toEqual(['a']);
  });

  it('is refused inside a transaction, and lets none inside of it write', async () => {
    await expect(transaction(() => snapshot(() => sql.query('SELECT 1')))).rejects.toThrow(
      'inside a transaction',
    );
    await expect(snapshot(() => transaction(() => insert('a')))).rejects.toEqual(fails('25006'));
  });
});

describe('afterCommit', () => {
  it('runs after the outermost commit, outside of the transaction', async () => {
    const runs: string[] = [];
    let seen: Promise<string[]> | undefined;
    await transaction(async () => {
      await savepoint(async () => {
        await insert('a');
        afterCommit(() => {
          runs.push(`in transaction: ${isInTransaction()}`);
          seen = notes();
        });
      });
      expect(runs).toEqual([]);
    });
    expect(runs).toEqual(['in transaction: false']);
    expect(await seen).toEqual(['a']);
  });

  it('is dropped with its savepoint, with its transaction, and with an attempt that is repeated', async () => {
    const runs: string[] = [];
    let attempts = 0;
    await transaction(async () => {
      afterCommit(() => runs.push('kept'));
      if (++attempts === 1) await deadlock();
      await savepoint(async () => {
        afterCommit(() => runs.push('savepoint'));
        throw new Error('refused');
      }).catch(() => undefined);
    });
    await transaction(async () => {
      afterCommit(() => runs.push('transaction'));
      await deadlock();
    }).catch(() => undefined);
    expect(runs).toEqual(['kept']);
  });

  it('is refused outside of transactions', () => {
    expect(() => afterCommit(() => undefined)).toThrow('no transaction');
  });
});
