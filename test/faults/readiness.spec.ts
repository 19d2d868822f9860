import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { OwnSite } from '../support/servers/own-site.js';

/* A database that responds, and cannot be written. */

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

async function readiness(): Promise<{ all: number; writes: number }> {
  const [all, writes] = await Promise.all(
    ['', '?for=writes'].map(async (query) => (await fetch(`${site.origin}/health/ready${query}`)).status),
  );
  return { all: all!, writes: writes! };
}

/** What was refused counts for a quarter of a minute. */
const AFTERWARDS = 40_000;
const READY = { all: 200, writes: 200 };
const READS_ONLY = { all: 200, writes: 503 };

it('is not ready for writes while the database is read-only', async () => {
  expect(await readiness()).toEqual(READY);
  await set('= on');
  await eventually(async () => expect(await readiness()).toEqual(READS_ONLY));
  await set('= off');
  await eventually(async () => expect(await readiness()).toEqual(READY), AFTERWARDS);
});

/** For new connections. The others are ended. */
function set(mode: string): Promise<unknown> {
  return site.query(`BEGIN READ WRITE; DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only ${mode}', current_database());
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'slipway';
  END $$; COMMIT`);
}

it('is not ready for writes after the disk of the database was full', async () => {
  await site.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON channels FOR EACH ROW EXECUTE FUNCTION refuse()`);
  expect((await app.api.post(`${app.path}/channels`, { name: 'beta' })).status).toBe(503);
  expect(await readiness()).toEqual(READS_ONLY);
  await site.query('DROP TRIGGER refuse ON channels');
  await eventually(async () => expect(await readiness()).toEqual(READY), AFTERWARDS);
});
