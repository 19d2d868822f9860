import { readFile } from 'node:fs/promises';
import { createApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { startServer } from '../setup/server.js';
import { eventually } from '../support/eventually.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;

beforeAll(async () => {
  site = await OwnSite.start({ WORKERS: '2' });
});
afterAll(() => site.dispose());

/** Processes that a server has started. */
async function workers(): Promise<number[]> {
  const { pid } = site.server.process;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** Processes that listen to changes, one for each that serves. */
const serving = (): Promise<{ pid: number }[]> =>
  site.query(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'slipway-listen' AND datname = current_database()`,
  );

it('serves one port from several processes', async () => {
  await eventually(async () => expect(await serving()).toHaveLength(2));
  expect(await workers()).toHaveLength(2);
  const app = await createApp(await createTenant(site));
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => fetch(`${site.origin}${app.path}/bundles/latest?platform=0`)),
  );
  for (const answer of answers) expect(await answer.json()).toMatchObject({ code: 'no_update' });
});

it('replaces a process that was killed, and goes on meanwhile', async () => {
  const before = await workers();
  process.kill(before[0] ?? 0, 'SIGKILL');
  await eventually(async () => {
    expect(await workers()).toHaveLength(2);
    expect(await workers()).not.toEqual(before);
  });
  await eventually(async () => expect(await serving()).toHaveLength(2));
  expect((await fetch(`${site.origin}/health/ready`)).status).toBe(200);
  expect(site.server.log.some((line) => line.includes('A worker has ended and is replaced'))).toBe(true);
});

it('does not start when they cannot', async () => {
  const taken = new URL(site.origin).port;
  const beside = { DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir, WORKERS: '2', PORT: taken };
  await expect(startServer(beside)).rejects.toThrow('EADDRINUSE');
});

it('ends with all of them', async () => {
  expect(await site.server.stop()).toBe(0);
  expect(site.server.log.filter((line) => line.includes('"msg":"Stopped"'))).toHaveLength(3);
  expect(await serving()).toEqual([]);
});
