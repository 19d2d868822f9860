import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { depth } from '../setup/depth.js';
import { eventually } from '../support/eventually.js';
import { linesOf, readJob } from '../support/jobs/leases.js';
import { startBuild, type TestBuild } from '../support/native-builds/leases.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { registerRunner, type RunnerProcess, startRunner } from '../support/runners/start-runner.js';
import { webProject } from '../support/runners/web-project.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';

const LEASE_SECONDS = depth.leaseInOutage;
const OUTAGE = 3 * LEASE_SECONDS * 1000;
/** Milliseconds after the outage by which every job has ended: two leases, and what is left of the builds. */
const PATIENCE = 60_000 + 2 * LEASE_SECONDS * 1000 + OUTAGE / 2;
const BUILDS = 10;
/** Two runners with four slots each: two builds wait in the queue. */
const SLOTS = 4;
const LINES = 60;

let site: OwnSite;
let proxy: DatabaseProxy;
let tenant: Tenant;
let app: TestApp;
const runners: RunnerProcess[] = [];

beforeAll(async () => {
  site = await OwnSite.start(
    { JOB_LEASE_SECONDS: String(LEASE_SECONDS) },
    async (url) => (proxy = await DatabaseProxy.start(url)).url,
  );
  tenant = await createTenant(site);
  for (let runner = 0; runner < 2; runner++) {
    runners.push(await startRunner(site.origin, await registerRunner(tenant), SLOTS));
  }
});
afterAll(async () => {
  for (const runner of runners) await runner.kill();
  await site.dispose();
  await proxy.stop().catch(() => undefined);
});

/** A source whose build prints for so many milliseconds. */
const sourceOf = (duration: number): Promise<string> =>
  uploadSource(app, webProject(app.id, { lines: LINES, pause: Math.ceil(duration / LINES) }));

const states = (): Promise<{ id: string; attempts: number; status: string; finished_at: Date | null }[]> =>
  site.query('SELECT id, attempts, status, finished_at FROM jobs WHERE app_id = $1', [app.id]);

it(
  `ends ${BUILDS} builds once, in their first attempt, while the database is away for ${OUTAGE / 1000} seconds`,
  async () => {
    app = await createApp(tenant);
    // Half of the builds would end while the database is away, the others after it; those that wait are quick.
    const sources = [await sourceOf(OUTAGE / 2), await sourceOf(OUTAGE * 1.2), await sourceOf(0)];
    const builds: TestBuild[] = [];
    for (let index = 0; index < BUILDS; index++) {
      builds.push(await startBuild(app, { appBuildSourceId: sources[index < 2 * SLOTS ? index % 2 : 2] }));
    }
    await eventually(async () => {
      const logs = await site.query(
        `SELECT FROM jobs JOIN job_logs ON job_logs.id = jobs.id WHERE status = 'in_progress' AND last_number > 0 AND app_id = $1`,
        [app.id],
      );
      expect(logs).toHaveLength(2 * SLOTS);
    });
    await proxy.stop();
    await sleep(OUTAGE);
    expect((await app.api.get(`/v1/jobs/${builds[0]?.jobId}`)).status).toBe(503);
    // No job has ended: the runners cannot say so.
    expect((await states()).filter(({ status }) => status === 'in_progress')).toHaveLength(2 * SLOTS);
    // One of the runners notices late that the database is back.
    runners[0]?.process.kill('SIGSTOP');
    await proxy.resume();
    await sleep((LEASE_SECONDS * 1000) / 2);
    runners[0]?.process.kill('SIGCONT');
    await eventually(async () => {
      const open = (await states()).filter(({ finished_at }) => finished_at === null);
      expect(open).toEqual([]);
    }, PATIENCE);

    const all = await states();
    expect(all.map(({ id }) => id).sort()).toEqual(builds.map(({ jobId }) => jobId).sort());
    expect(all.map(({ attempts, status }) => [attempts, status])).toEqual(builds.map(() => [1, 'succeeded']));
    expect(site.server.log.filter((line) => line.includes('A runner stopped reporting'))).toEqual([]);
    expect(await site.query('SELECT FROM job_leases')).toEqual([]);
    await Promise.all(builds.map((build, index) => expectWhole(build, index + 1)));
  },
  2 * OUTAGE + PATIENCE + 60_000,
);

/** The build has its one artifact, and each line of its log once. */
async function expectWhole({ id, jobId }: TestBuild, number: number): Promise<void> {
  const lines = linesOf(await readJob(app, jobId));
  expect(lines.filter((line) => line.startsWith('line '))).toEqual(
    Array.from({ length: LINES }, (_value, at) => `line ${at + 1} of build ${number}`),
  );
  expect(lines.filter((line) => line.includes('lost'))).toEqual([]);
  const { body } = await app.api.get(`${app.path}/builds/${id}?relations=appBuildArtifacts`);
  expect(body).toMatchObject({ appBuildArtifacts: [{ status: 'ready' }] });
}
