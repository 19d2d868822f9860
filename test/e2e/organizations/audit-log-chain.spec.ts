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

beforeEach(async () => {
  databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
  folder = await mkdtemp(join(tmpdir(), 'slipway-heads-'));
});
afterEach(async () => {
  await dropDatabase(databaseUrl);
  await rm(folder, { recursive: true });
});

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

/** What only somebody can do who owns the tables. */
async function tamper(statements: string): Promise<void> {
  await sql(`
    ALTER TABLE audit_events DISABLE TRIGGER USER;
    ALTER TABLE audit_chains DISABLE TRIGGER USER;
    ${statements};
    ALTER TABLE audit_events ENABLE TRIGGER USER;
    ALTER TABLE audit_chains ENABLE TRIGGER USER`);
}

const verify = (...args: string[]): ReturnType<typeof verifyAudit> => verifyAudit(databaseUrl, ...args);

async function expectBroken(id: string, after: number, problem: RegExp): Promise<void> {
  await expectAllBroken([[id, after, problem]]);
}

/** Checks several broken chains in one run. */
async function expectAllBroken(
  chains: readonly (readonly [id: string, after: number, problem: RegExp])[],
): Promise<void> {
  const { code, output } = await verify();
  for (const [id, after, problem] of chains) {
    expect(output).toMatch(new RegExp(`^${id}: BROKEN after ${after} events\\. ${problem.source}`, 'm'));
  }
  expect(code).toBe(1);
}

describe('the audit log in the database', () => {
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
    await createChain();
    const content = (): Promise<object[]> =>
      sql(
        'SELECT event, chain FROM audit_events AS event JOIN audit_chains AS chain USING (organization_id)',
      );
    const before = await content();
    expect(before).toHaveLength(EVENTS);
    await expect(sql(statement)).rejects.toMatchObject({ code: '42501' });
    expect(await content()).toEqual(before);
  });

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
    // A token is told to both.
    const [{ sum } = { sum: '' }] = await sql<{ sum: string }>('SELECT sum(sequence) FROM audit_chains');
    expect(Number(sum) - Number(before[0]?.sum)).toBe(60);
    const { code, output } = await verify();
    const heads = await sql<{ line: string }>(
      `SELECT organization_id || ': ' || sequence || ' events, head ' || hash AS line FROM audit_chains ORDER BY 1`,
    );
    expect(output.trim().split('\n')).toEqual(heads.map(({ line }) => line));
    expect(code).toBe(0);
  });

  it('reads chains of any length', async () => {
    const id = await createChain(1);
    await sql(`DO $$ BEGIN FOR i IN 2..2500 LOOP UPDATE organizations SET name = i::text; END LOOP; END $$`);
    expect(await verify()).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${id}: 2500 events`) as string,
    });
    await tamper('DELETE FROM audit_events WHERE sequence = 2001');
    await expectBroken(id, 2000, /Event 2001 is missing/);
  });

  it('finds an edit of any column', async () => {
    const columns = await sql<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'audit_events'`,
    );
    expect(columns.length).toBeGreaterThan(15);
    const others: Record<string, string> = {
      uuid: `gen_random_uuid()`,
      bigint: '1000',
      text: `'f' || substr(coalesce(%, ''), 2) || 'x'`,
      jsonb: `coalesce(%, '{}') || '{"name": "Other"}'`,
      'timestamp with time zone': `% + interval '1 ms'`,
    };
    const chains = await Promise.all(
      columns.map((column) => createChain(4).then((id) => ({ id, ...column }))),
    );
    const edits = chains.map(({ id, name, type }) => {
      const other = name === 'action' ? `'deleted'` : (others[type] ?? '').replaceAll('%', name);
      return `UPDATE audit_events SET ${name} = ${other} WHERE organization_id = '${id}' AND sequence = 3`;
    });
    await tamper(edits.join(';'));
    const { code, output } = await verify();
    const missed = chains.filter(({ id }) => !output.includes(`${id}: BROKEN after 2 events. Event 3 `));
    expect(missed).toEqual([]);
    expect(code).toBe(1);
  });

  it('finds events that were removed', async () => {
    const [middle, end, all] = [await createChain(), await createChain(), await createChain()];
    await tamper(`
      DELETE FROM audit_events WHERE organization_id = '${middle}' AND sequence = 4;
      DELETE FROM audit_events WHERE organization_id = '${end}' AND sequence >= 3;
      DELETE FROM audit_events WHERE organization_id = '${all}'`);
    await expectAllBroken([
      [middle, 3, /Event 4 is missing: event 5 comes next/],
      [end, 2, /Events 3 to 6 are missing at the end/],
      [all, 0, /Events 1 to 6 are missing at the end/],
    ]);
  });

  it('finds events that have changed places, whether or not they were hashed anew', async () => {
    const [swapped, hashed] = [await createChain(), await createChain()];
    await tamper(`
      UPDATE audit_events SET sequence = 1000 WHERE sequence = 3;
      UPDATE audit_events SET sequence = 3 WHERE sequence = 4;
      UPDATE audit_events SET sequence = 4 WHERE sequence = 1000;
      UPDATE audit_events AS event SET hash = audit_hash(event)
       WHERE organization_id = '${hashed}' AND sequence IN (3, 4)`);
    await expectAllBroken([
      [swapped, 2, /Event 3 \(.*\) was changed/],
      [hashed, 2, /Event 3 \(.*\) does not follow what is before it/],
    ]);
  });

  it('finds a head that was changed, removed, or moved back with the events', async () => {
    const [changed, back, removed] = [await createChain(), await createChain(), await createChain()];
    await tamper(`
      UPDATE audit_chains SET hash = repeat('f', 64) WHERE organization_id = '${changed}';
      UPDATE audit_chains SET sequence = 5, hash = (
        SELECT hash FROM audit_events WHERE organization_id = '${back}' AND sequence = 5
      ) WHERE organization_id = '${back}';
      DELETE FROM audit_chains WHERE organization_id = '${removed}'`);
    await expectAllBroken([
      [changed, 6, /The head of the chain is not event 6/],
      [back, 6, /The head of the chain is not event 6/],
      [removed, 6, /The head of the chain is missing/],
    ]);
  });

  it('believes no function of the database', async () => {
    const id = await createChain();
    await tamper(`
      UPDATE audit_events SET object_name = 'Other' WHERE sequence = 2;
      CREATE OR REPLACE FUNCTION audit_hash(event audit_events) RETURNS text LANGUAGE sql AS 'SELECT event.hash'`);
    await expectBroken(id, 1, /Event 2 \(.*\) was changed/);
  });

  it('names every chain that is broken, and passes over those that are not', async () => {
    const [first, second] = [await createChain(), await createChain()];
    await tamper(`DELETE FROM audit_events WHERE sequence = 2 AND organization_id = '${first}'`);
    const { code, output } = await verify();
    expect(output).toContain(`${first}: BROKEN after 1 events`);
    expect(output).toContain(`${second}: 6 events`);
    expect(code).toBe(1);
  });

  it('compares with heads that were kept elsewhere, which a rewritten chain does not pass', async () => {
    const id = await createChain();
    const file = join(folder, 'heads.ndjson');
    expect(await verify('--write-heads', file)).toMatchObject({ code: 0 });
    const kept = await readFile(file, 'utf8');
    expect(JSON.parse(kept)).toMatchObject({ organizationId: id, sequence: EVENTS });
    await rename(id, 'Later');
    expect(await verify('--heads', file)).toMatchObject({ code: 0 });

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
    expect(await verify()).toEqual({ code: 0, output: '' });
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
