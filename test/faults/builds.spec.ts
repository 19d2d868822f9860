import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { depth, seed } from '../setup/depth.js';
import { eventually } from '../support/eventually.js';
import { unzip } from '../support/live-updates/archives.js';
import { startBuild, type TestBuild } from '../support/native-builds/leases.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { pick, randomOf } from '../support/random.js';
import { RunnerFleet } from '../support/runners/runner-fleet.js';
import { registerRunner } from '../support/runners/start-runner.js';
import { webProject } from '../support/runners/web-project.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { freePort } from '../setup/free-port.js';
import { OwnSite } from '../support/servers/own-site.js';

const BUILDS = depth.buildsOfRunner;
const ENDED_BETWEEN_ACCIDENTS = Math.floor(BUILDS / (depth.accidents + 1));
const LINES = 40;
/** Seconds of a lease here: a killed runner is found soon. */
const LEASE_SECONDS = 4;
/** Milliseconds for the builds between two accidents, and for the rest of them. */
const PATIENCE = 60_000;

interface Job {
  readonly id: string;
  readonly status: string;
  readonly statusMessage: string | null;
  readonly finishedAt: string | null;
  readonly jobLogs: readonly { readonly number: number; readonly payload: string }[];
}

// A second try would count the builds of the first one.
jest.retryTimes(0);

let site: OwnSite;
let proxy: DatabaseProxy;
let app: TestApp;
let fleet: RunnerFleet;

beforeAll(async () => {
  site = await OwnSite.start(
    { PORT: String(await freePort()), JOB_LEASE_SECONDS: String(LEASE_SECONDS) },
    async (url) => (proxy = await DatabaseProxy.start(url)).url,
  );
  const tenant = await createTenant(site);
  app = await createApp(tenant);
  const token = await registerRunner(tenant);
  fleet = await RunnerFleet.start([{ origin: site.origin, token, env: { RUNNER_SLOTS: '4' } }]);
});
afterAll(async () => {
  await fleet.dispose();
  await site.dispose();
  await proxy.stop().catch(() => undefined);
});

const accidents: Readonly<Record<string, (pause: number) => Promise<void>>> = {
  server: async () => {
    await site.server.kill();
    await site.restart();
  },
  database: async (pause) => {
    await proxy.stop();
    await sleep(500 * pause);
    await proxy.resume();
  },
  runner: async () => {
    const [runner] = await site.query<{ id: string }>('SELECT id FROM runners');
    expect(await fleet.replace(runner!.id)).toBe(true);
  },
};

async function progressOf(): Promise<{ open: number; running: number; attempts: number }> {
  const [row] = await site.query<{ open: number; running: number; attempts: number }>(
    `SELECT count(*) FILTER (WHERE finished_at IS NULL)::int AS open,
            count(*) FILTER (WHERE status = 'in_progress')::int AS running, sum(attempts)::int AS attempts
       FROM jobs`,
  );
  return row!;
}

const jobOf = async (id: string): Promise<Job> =>
  (await app.api.get(`/v1/jobs/${id}?relations=jobLogs`)).body as Job;

it(`ends each of ${BUILDS} builds once, with a complete log, while the API, the database and the runner are killed`, async () => {
  const sourceId = await uploadSource(app, webProject(app.id, { lines: LINES, pause: 25 }));
  const builds: TestBuild[] = [];
  for (let index = 0; index < BUILDS; index++) {
    builds.push(await startBuild(app, { appBuildSourceId: sourceId }));
  }
  const next = randomOf(seed);
  const kinds = Object.keys(accidents);
  const first = Math.floor(next() * kinds.length);
  const counts: Record<string, number> = {};
  for (let accident = 0; accident < depth.accidents; accident++) {
    await sleep(500 * next());
    const { open } = await eventually(async () => {
      const progress = await progressOf();
      expect(BUILDS - progress.open).toBeGreaterThanOrEqual(accident * ENDED_BETWEEN_ACCIDENTS);
      // Some of those that the server takes for running may just have ended.
      if (progress.open > 0) expect(progress.running).toBeGreaterThanOrEqual(Math.min(progress.open, 3));
      return progress;
    }, PATIENCE);
    if (open === 0) break;
    const kind = accident < kinds.length ? kinds[(first + accident) % kinds.length]! : pick(kinds, next);
    counts[kind] = (counts[kind] ?? 0) + 1;
    await accidents[kind]!(next());
  }
  expect(Object.keys(counts).sort()).toEqual(kinds.toSorted());
  await eventually(async () => expect((await progressOf()).open).toBe(0), PATIENCE);
  // A build was killed with its runner, and another attempt was made.
  expect((await progressOf()).attempts).toBeGreaterThan(BUILDS);
  const jobs = await eventually(() => Promise.all(builds.map(({ jobId }) => jobOf(jobId))));
  const statuses: Record<string, number> = {};
  for (const [index, job] of jobs.entries()) {
    statuses[job.status] = (statuses[job.status] ?? 0) + 1;
    const build = builds[index]!;
    expect(job.finishedAt).not.toBeNull();
    expect(job.jobLogs.map(({ number }) => number)).toEqual(job.jobLogs.map((_log, at) => at + 1));
    const { body } = await app.api.get(`${app.path}/builds/${build.id}?relations=appBuildArtifacts`);
    const artifacts = (body as { appBuildArtifacts: { id: string; status: string }[] }).appBuildArtifacts;
    const lines = job.jobLogs
      .flatMap(({ payload }) => payload.split('\n'))
      .filter((line) => line.startsWith('line '));
    if (job.status === 'succeeded') {
      expect(artifacts.map(({ status }) => status)).toEqual(['ready']);
      const all = Array.from({ length: LINES }, (_value, at) => `line ${at + 1} of build ${index + 1}`);
      expect(lines.slice(-LINES)).toEqual(all);
    } else {
      // Two runners were killed under it.
      expect([job.status, job.statusMessage]).toEqual(['failed', expect.stringContaining('runner')]);
      expect(artifacts.filter(({ status }) => status === 'ready')).toEqual([]);
    }
  }
  process.stdout.write(`Builds: ${JSON.stringify({ seed, accidents: counts, statuses })}\n`);
  expect(statuses['succeeded']).toBeGreaterThan(BUILDS / 2);
  // Nothing is left on the machine.
  expect(await fleet.drain()).toEqual([0]);
  expect(await fleet.leftFolders()).toEqual([]);
  await eventually(async () => expect(await fleet.processes()).toEqual([]));
  // What was built is a bundle that devices can get.
  const last = jobs.findLastIndex(({ status }) => status === 'succeeded');
  const path = `${app.path}/builds/${builds[last]!.id}`;
  const { appBuildArtifactId } = (await app.api.get(path)).body as { appBuildArtifactId: string };
  const zip = await fetch(`${site.origin}${path}/artifacts/${appBuildArtifactId}/download`, {
    headers: { authorization: `Bearer ${app.tenant.owner.token}` },
  });
  const files = unzip(Buffer.from(await zip.arrayBuffer()));
  expect(JSON.parse(files.get('build.json')!.toString())).toEqual({ number: String(last + 1) });
}, 600_000);
