import pg from 'pg';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';

let app: TestApp;
let holder: pg.Client;
beforeEach(async () => {
  app = await createApp(await createTenant());
  holder = new pg.Client({ connectionString: testEnvironment().databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM apps WHERE id = $1 FOR UPDATE', [app.id]);
});
afterEach(() => holder.end());

/** Ends the statements that wait for the holder, as PostgreSQL does after a minute: with the same SQLSTATE. */
async function endWaiting(): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await holder.query(
      `SELECT pg_cancel_backend(pid) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    );
    expect(rowCount).toBeGreaterThan(0);
  });
}

it('lets a write be repeated that has waited for a row too long, and changes nothing', async () => {
  const renamed = app.api.patch(app.path, { name: 'Renamed' });
  await endWaiting();
  const response = await renamed;
  const { message } = expectError(response, 503, 'database_busy');
  expect(message).toContain('Try again in a few seconds.');
  expect(response.headers['retry-after']).toBe('5');
  expect((await app.api.get(app.path)).body).not.toMatchObject({ name: 'Renamed' });
  await holder.query('ROLLBACK');
  expect((await app.api.patch(app.path, { name: 'Renamed' })).status).toBe(200);
});
