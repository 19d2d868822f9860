import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { registerBuiltInRunner } from '../../../src/commands/start/built-in-runner.js';
import { hashToken } from '../../../src/common/access/api-token.js';
import { generateRunnerToken } from '../../../src/jobs/runners/runner-token.js';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { queueJobs, TestRunner } from '../../builders/runner.js';
import { Api } from '../../support/http/api.js';
import { finishJob, type TestLease } from '../../support/jobs/leases.js';
import { temporaryFolder } from '../../support/processes/temporary-folders.js';
import { OwnSite } from '../../support/servers/own-site.js';

let site: OwnSite;
let app: TestApp;
let dataDir: string;

beforeAll(async () => {
  site = await OwnSite.start();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());
beforeEach(async () => {
  dataDir = await temporaryFolder();
  await site.query('DELETE FROM jobs');
  await site.query('DELETE FROM runners');
});

/** Registers as a start of the server does. @returns the runner of the token that is kept then */
async function start(folder = dataDir): Promise<TestRunner> {
  const path = await registerBuiltInRunner(folder, site.databaseUrl);
  expect(path).toBe(join(folder, 'runner-token'));
  const [row, ...others] = await site.query<{ id: string; organization_id: string | null }>(
    `SELECT id, organization_id FROM runners WHERE name = 'Built in'`,
  );
  expect([row?.organization_id, others]).toEqual([null, []]);
  return new TestRunner(row?.id ?? '', new Api(site.origin, (await readFile(path, 'utf8')).trim()));
}

/** A runner as earlier versions registered it: for the first organization, which may have changed it since. */
async function registerEarlier(name = 'Built in'): Promise<TestRunner> {
  const [id, token] = [uuid(), generateRunnerToken()];
  await site.query(
    `INSERT INTO runners (id, organization_id, name, hash, last_four, app_ids, is_paused, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, true, now() + interval '1 day')`,
    [id, app.tenant.organizationId, name, hashToken(token), token.slice(-4), [uuid()]],
  );
  await writeFile(join(dataDir, 'runner-token'), `${token}\n`);
  return new TestRunner(id, new Api(site.origin, token));
}

const opens = async (runner: TestRunner): Promise<unknown> => {
  const { status, body } = await runner.open();
  return [status, (body as { sandboxRequired?: boolean }).sandboxRequired];
};

it('serves all organizations, so that it needs a sandbox, and keeps its token', async () => {
  const first = await start();
  expect(await opens(first)).toEqual([201, true]);
  const second = await start();
  expect([second.id, second.api.token]).toEqual([first.id, first.api.token]);
  for (const each of [app, await createApp(await createTenant(site))]) {
    const [jobId] = await queueJobs(each, 1, {}, site);
    await first.open();
    expect((await first.claim()).body).toMatchObject({ job: { id: jobId } });
  }
});

it.each(['Built in', 'Renamed since'])(
  'replaces the one that an earlier version registered for an organization: %s',
  async (name) => {
    const earlier = await registerEarlier(name);
    const runner = await start();
    expect(runner.id).toBe(earlier.id);
    expect([await opens(earlier), await opens(runner)]).toEqual([
      [401, undefined],
      [201, true],
    ]);
    const [jobId] = await queueJobs(app, 1, {}, site);
    expect((await runner.claim()).body).toMatchObject({ job: { id: jobId } });
    expect((await start()).api.token).toBe(runner.api.token);
  },
);

it('lets the jobs of the one that it replaces finish', async () => {
  const earlier = await registerEarlier();
  await site.query('UPDATE runners SET is_paused = false, app_ids = NULL');
  await earlier.open();
  const [jobId = ''] = await queueJobs(app, 1, {}, site);
  const { jobToken, job } = (await earlier.claim()).body as { jobToken: string; job: { attempt: number } };
  const lease: TestLease = { id: '', jobId, attempt: job.attempt, api: new Api(site.origin, jobToken) };
  expect((await lease.api.post('/v1/runner/job/start')).status).toBe(200);
  await start();
  expect((await lease.api.put('/v1/runner/job/lease', {})).status).toBe(200);
  expect((await finishJob(lease, { logBytes: 0 })).status).toBe(200);
  expect(await site.query('SELECT status, attempts FROM jobs WHERE id = $1', [jobId])).toEqual([
    { status: 'failed', attempts: 1 },
  ]);
});

it('gets another token when its file is lost, deleted, or that of another folder', async () => {
  const first = await start();
  await rm(join(dataDir, 'runner-token'));
  const second = await start();
  const third = await start(await temporaryFolder());
  expect([second.id, third.id]).toEqual([first.id, first.id]);
  expect([await opens(first), await opens(second), await opens(third)]).toEqual([
    [401, undefined],
    [401, undefined],
    [201, true],
  ]);
  // A start that was killed between the file and the database.
  await writeFile(join(dataDir, 'runner-token'), `${generateRunnerToken()}\n`);
  expect(await opens(await start())).toEqual([201, true]);
  await site.query('DELETE FROM runners');
  expect(await opens(await start())).toEqual([201, true]);
});

it('leaves nothing of several earlier ones, and touches no other runner', async () => {
  const [older, newer] = [await registerEarlier(), await registerEarlier()];
  const others = [uuid(), uuid()];
  const add = (id: string | undefined, ...values: unknown[]): Promise<unknown> =>
    site.query(
      `INSERT INTO runners (id, hash, last_four, name, organization_id, created_by) VALUES ($1, $2, 'test', $3, $4, $5)`,
      [id, id, ...values],
    );
  await add(others[0], 'Built in', app.tenant.organizationId, app.tenant.owner.userId);
  await add(others[1], 'Shared builders', null, null);
  expect((await site.query<{ id: string }>(`SELECT id FROM runners WHERE name = 'Built in'`)).length).toBe(3);
  await registerBuiltInRunner(dataDir, site.databaseUrl);
  const left = await site.query<{ id: string }>('SELECT id FROM runners ORDER BY id');
  expect(left.map(({ id }) => id)).toEqual([newer.id, ...others].toSorted());
  expect(await opens(older)).toEqual([401, undefined]);
});
