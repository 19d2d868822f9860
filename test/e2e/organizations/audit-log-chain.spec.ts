import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { cloneDatabase, dropDatabase, query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { verifyAudit } from '../../support/organizations/audit-log.js';

const EVENTS = 6;

let databaseUrl: string;
let folder: string;

async function openDatabase(): Promise<void> {
  databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
  folder = await mkdtemp(join(tmpdir(), 'slipway-heads-'));
}

async function closeDatabase(): Promise<void> {
  await dropDatabase(databaseUrl);
  await rm(folder, { recursive: true });
}

const sql = <T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]> =>
  query<T>(databaseUrl, text, values);

/** An organization with this many events. @returns its id */
async function createChain(length = EVENTS): Promise<string> {
  const id = uuid();
  await sql(`INSERT INTO organizations (id, name, slug) VALUES ($1, 'Acme', $2)`, [id, id]);
  for (let i = 2; i <= length; i++) await rename(id, `Acme ${i}`);
  return id;
}

async function rename(id: string, name: string): Promise<void> {
  await sql('UPDATE organizations SET name = $2 WHERE id = $1', [id, name]);
}

/** Adds events to a chain, in one statement. */
async function lengthen(id: string, length: number): Promise<void> {
  await sql(`DO $$ BEGIN
    FOR i IN 2..${length} LOOP UPDATE organizations SET name = i::text WHERE id = '${id}'; END LOOP;
  END $$`);
}

/** What only the owner of the tables can do. */
async function tamper(statements: string): Promise<void> {
  await sql(`
    ALTER TABLE audit_events DISABLE TRIGGER USER;
    ALTER TABLE audit_chains DISABLE TRIGGER USER;
    ${statements};
    ALTER TABLE audit_events ENABLE TRIGGER USER;
    ALTER TABLE audit_chains ENABLE TRIGGER USER`);
}

const verify = (...args: string[]): ReturnType<typeof verifyAudit> => verifyAudit(databaseUrl, ...args);

describe('the audit log in the database', () => {
  beforeAll(async () => {
    await openDatabase();
    await createChain();
  });
  afterAll(closeDatabase);

  it.each([
    `UPDATE audit_events SET object_name = 'Other'`,
    'DELETE FROM audit_events',
    'TRUNCATE audit_events',
    'INSERT INTO audit_events SELECT * FROM audit_events',
    'UPDATE audit_chains SET sequence = 1',
    'DELETE FROM audit_chains',
    'TRUNCATE audit_chains',
    'TRUNCATE organizations CASCADE',
  ])('refuses %s', async (statement) => {
    const content = (): Promise<object[]> =>
      sql(
        'SELECT event, chain FROM audit_events AS event JOIN audit_chains AS chain USING (organization_id)',
      );
    const before = await content();
    expect(before).toHaveLength(EVENTS);
    await expect(sql(statement)).rejects.toMatchObject({ code: '42501' });
    expect(await content()).toEqual(before);
  });
});

describe('a chain', () => {
  beforeEach(openDatabase);
  afterEach(closeDatabase);

  it('has no event of what is rolled back, or whose connection is lost before the commit', async () => {
    const id = await createChain();
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`BEGIN; UPDATE organizations SET name = 'Rolled back'; ROLLBACK`);
    await client.query(`BEGIN; UPDATE organizations SET name = 'Lost'`);
    const [session] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
    await sql('SELECT pg_terminate_backend($1)', [session?.pid]);
    await client.end().catch(() => undefined);
    await rename(id, 'Kept');
    expect(await sql(`SELECT after FROM audit_events WHERE sequence > $1`, [EVENTS])).toEqual([
      { after: { name: 'Kept' } },
    ]);
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it('takes the lock of a chain at the commit only', async () => {
    const id = await createChain();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO teams (id, organization_id, name, name_lower) VALUES ($1, $2, 'a', 'a')`,
      [uuid(), id],
    );
    await sql(
      `SET LOCAL lock_timeout = '5s'; INSERT INTO teams (id, organization_id, name, name_lower) VALUES ('${uuid()}', '${id}', 'b', 'b')`,
    );
    await client.query('COMMIT');
    await client.end();
    const names = await sql(
      `SELECT object_name AS name FROM audit_events WHERE object_type = 'team' ORDER BY sequence`,
    );
    expect(names).toEqual([{ name: 'b' }, { name: 'a' }]);
  });
});

describe('slipway audit verify', () => {
  beforeEach(openDatabase);
  afterEach(closeDatabase);

  it('passes what many have written at once, and prints the heads', async () => {
    const ids = [await createChain(1), await createChain(1)] as const;
    const user = uuid();
    await sql(`INSERT INTO users (id, email) VALUES ($1, $2)`, [user, user]);
    for (const id of ids) {
      await sql(`INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, 'owner')`, [
        uuid(),
        id,
        user,
      ]);
    }
    const before = await sql<{ sum: string }>('SELECT sum(sequence) FROM audit_chains');
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        i % 5 === 0
          ? sql('INSERT INTO tokens (id, user_id, name, hash) VALUES ($1, $2, $3, $3)', [
              uuid(),
              user,
              uuid(),
            ])
          : rename(ids[i % 2] ?? '', `Acme ${i}`),
      ),
    );
    // The chains of both have each token.
    const [{ sum } = { sum: '' }] = await sql<{ sum: string }>('SELECT sum(sequence) FROM audit_chains');
    expect(Number(sum) - Number(before[0]?.sum)).toBe(60);
    // It reads chains in batches of 1000 events.
    await lengthen(await createChain(1), 2500);
    const { code, output } = await verify();
    const heads = await sql<{ line: string }>(
      `SELECT organization_id || ': ' || sequence || ' events, head ' || hash AS line FROM audit_chains ORDER BY 1`,
    );
    const [printed, warning] = output.split('WARNING: ');
    expect(printed?.trim().split('\n')).toEqual(heads.map(({ line }) => line));
    expect(warning).toContain('there were no heads to compare with');
    expect(code).toBe(0);
  });

  it('compares with heads that were kept elsewhere, which a rewritten chain does not pass', async () => {
    const id = await createChain();
    const file = join(folder, 'heads.ndjson');
    expect(await verify('--write-heads', file)).toMatchObject({ code: 0 });
    const kept = await readFile(file, 'utf8');
    expect(JSON.parse(kept)).toMatchObject({ organizationId: id, sequence: EVENTS });
    await rename(id, 'Later');
    const verified = await verify('--heads', file);
    expect(verified.code).toBe(0);
    expect(verified.output).not.toContain('WARNING');

    // A consistent chain in which event 2 never said what it did.
    await tamper(`
      UPDATE audit_events SET object_name = 'Other' WHERE sequence = 2;
      DO $$
        DECLARE
          event audit_events;
          last text := repeat('0', 64);
        BEGIN
          FOR event IN SELECT * FROM audit_events ORDER BY sequence LOOP
            event.previous_hash := last;
            last := audit_hash(event);
            UPDATE audit_events SET previous_hash = event.previous_hash, hash = last WHERE id = event.id;
          END LOOP;
          UPDATE audit_chains SET hash = last;
        END
      $$`);
    expect(await verify()).toMatchObject({ code: 0 });
    const rewritten = await verify('--heads', file, '--write-heads', file);
    expect(rewritten.code).toBe(1);
    expect(rewritten.output).toContain('Event 6 is not the one whose hash was kept');
    expect(await readFile(file, 'utf8')).toBe(kept);

    await tamper(`
      DELETE FROM audit_events WHERE sequence > 4;
      UPDATE audit_chains SET sequence = 4, hash = (SELECT hash FROM audit_events WHERE sequence = 4)`);
    expect((await verify('--heads', file)).output).toContain(
      'Events 5 to 6, whose hash was kept, are missing',
    );
    await tamper('DELETE FROM audit_events; DELETE FROM audit_chains');
    expect(await verify('--heads', file)).toMatchObject({
      code: 1,
      output: expect.stringContaining(`${id}: BROKEN after 0 events`) as string,
    });
  });

  it('says what is wrong with its input', async () => {
    const file = join(folder, 'heads.ndjson');
    expect((await verify('--heads', file)).code).toBe(1);
    await writeFile(file, '{"organizationId":1}\n');
    expect(await verify('--heads', file)).toEqual({ code: 1, output: 'Line 1 of the heads is not one.\n' });
    expect((await verify('--unknown')).output).toContain('Usage: slipway audit verify');
  });
});

describe('a chain that was tampered with', () => {
  let found: { code: number; output: string };

  const columns: { id: string; name: string; type: string }[] = [];
  const names = [
    'intact',
    'long',
    'edited',
    'withoutMiddle',
    'withoutEnd',
    'withoutAll',
    'swapped',
    'swappedAndHashed',
    'headChanged',
    'headMovedBack',
    'headRemoved',
  ] as const;
  type Name = (typeof names)[number];
  /** Ids of the organizations. */
  const chains = {} as Record<Name, string>;

  beforeAll(async () => {
    await openDatabase();
    for (const name of names) chains[name] = await createChain();
    await lengthen(chains.long, 2500 - EVENTS + 1);
    for (const column of await sql<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'audit_events'`,
    )) {
      columns.push({ id: await createChain(4), ...column });
    }
    const of = (chain: Name): string => `organization_id = '${chains[chain]}'`;
    await tamper(`
      ${columns.map(editOf).join(';')};
      DELETE FROM audit_events WHERE ${of('long')} AND sequence = 2001;
      DELETE FROM audit_events WHERE ${of('withoutMiddle')} AND sequence = 4;
      DELETE FROM audit_events WHERE ${of('withoutEnd')} AND sequence >= 3;
      DELETE FROM audit_events WHERE ${of('withoutAll')};
      ${(['swapped', 'swappedAndHashed'] as const)
        .map(
          (chain) => `
            UPDATE audit_events SET sequence = 1000 WHERE ${of(chain)} AND sequence = 3;
            UPDATE audit_events SET sequence = 3 WHERE ${of(chain)} AND sequence = 4;
            UPDATE audit_events SET sequence = 4 WHERE ${of(chain)} AND sequence = 1000`,
        )
        .join(';')};
      UPDATE audit_events AS event SET hash = audit_hash(event)
       WHERE ${of('swappedAndHashed')} AND sequence IN (3, 4);
      UPDATE audit_chains SET hash = repeat('f', 64) WHERE ${of('headChanged')};
      UPDATE audit_chains SET sequence = 5, hash = (
        SELECT hash FROM audit_events WHERE ${of('headMovedBack')} AND sequence = 5
      ) WHERE ${of('headMovedBack')};
      DELETE FROM audit_chains WHERE ${of('headRemoved')};
      UPDATE audit_events SET object_name = 'Other' WHERE ${of('edited')} AND sequence = 2;
      CREATE OR REPLACE FUNCTION audit_hash(event audit_events) RETURNS text LANGUAGE sql AS 'SELECT event.hash'`);
    found = await verify();
  });
  afterAll(closeDatabase);

  /** Changes a column of the third event. */
  function editOf({ id, name, type }: { id: string; name: string; type: string }): string {
    const others: Record<string, string> = {
      uuid: `gen_random_uuid()`,
      bigint: '1000',
      text: `'f' || substr(coalesce(%, ''), 2) || 'x'`,
      jsonb: `coalesce(%, '{}') || '{"name": "Other"}'`,
      'timestamp with time zone': `% + interval '1 ms'`,
    };
    const other = name === 'action' ? `'deleted'` : (others[type] ?? '').replaceAll('%', name);
    return `UPDATE audit_events SET ${name} = ${other} WHERE organization_id = '${id}' AND sequence = 3`;
  }

  function expectBroken(chain: Name, after: number, problem: RegExp): void {
    const line = `^${chains[chain]}: BROKEN after ${after} events\\. ${problem.source}`;
    expect(found.output).toMatch(new RegExp(line, 'm'));
  }

  it('fails the verification, which names every broken chain and passes over the others', () => {
    expect(found.code).toBe(1);
    expect(found.output).toContain(`${chains.intact}: 6 events`);
  });

  it('is found after an edit of any column', () => {
    expect(columns.length).toBeGreaterThan(15);
    const isFound = ({ id }: { id: string }) =>
      found.output.includes(`${id}: BROKEN after 2 events. Event 3 `);
    expect(columns.filter((column) => !isFound(column))).toEqual([]);
  });

  it('is found when events were removed, however long it is', () => {
    expectBroken('withoutMiddle', 3, /Event 4 is missing: event 5 comes next/);
    expectBroken('withoutEnd', 2, /Events 3 to 6 are missing at the end/);
    expectBroken('withoutAll', 0, /Events 1 to 6 are missing at the end/);
    expectBroken('long', 2000, /Event 2001 is missing/);
  });

  it('is found when events have changed places, whether or not they were hashed again', () => {
    expectBroken('swapped', 2, /Event 3 \(.*\) was changed/);
    expectBroken('swappedAndHashed', 2, /Event 3 \(.*\) does not follow what is before it/);
  });

  it('is found when its head was changed, removed, or moved back with the events', () => {
    expectBroken('headChanged', 6, /The head of the chain is not event 6/);
    expectBroken('headMovedBack', 6, /The head of the chain is not event 6/);
    expectBroken('headRemoved', 6, /The head of the chain is missing/);
  });

  it('is found though the functions of the database say that it is intact', () => {
    expectBroken('edited', 1, /Event 2 \(.*\) was changed/);
  });
});
