import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';

const ROW = /^\| `([a-z-]+)` +\| `([^`]+)` +\| (\d+) min /gm;

it('runs the tasks of docs/operations.md at their times', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const documented = [...page.matchAll(ROW)].map(([, name, cron, minutes]) => ({
    name,
    cron,
    timezone: 'UTC',
    minutes: Number(minutes),
  }));
  const scheduled = await query(
    testEnvironment().databaseUrl,
    `SELECT name, cron, timezone, expire_seconds / 60 AS minutes FROM queue.schedule JOIN queue.queue USING (name)`,
  );
  expect(scheduled).toHaveLength(documented.length);
  expect(scheduled).toEqual(expect.arrayContaining(documented));
});
