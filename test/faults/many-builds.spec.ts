import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { depth, seed } from '../setup/depth.js';
import type { ServerProcess } from '../setup/server.js';
import { attemptNote } from '../../src/jobs/job-logs/log-notes.js';
import { eventually } from '../support/eventually.js';
import { jobMoments, noteJobMoments, peakOf } from '../support/jobs/job-moments.js';
import { linesOf, readJob } from '../support/jobs/leases.js';
import { startBuild, type TestBuild } from '../support/native-builds/leases.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { randomOf } from '../support/random.js';
import { RunnerFleet } from '../support/runners/runner-fleet.js';
import { registerRunner } from '../support/runners/start-runner.js';
import { webProject } from '../support/runners/web-project.js';
import { freePort } from '../setup/free-port.js';
import { OwnSite } from '../support/servers/own-site.js';

/** Runners of each organization, and how many of its jobs may run at once. */
const ORGANIZATIONS = depth.fleets.map((runners) => ({ runners, limit: Math.floor((runners * 2) / 3) }));
/** Builds of each organization. */
const BUILDS = depth.buildsOfFleet / ORGANIZATIONS.length;
const LINES = 10;
/** A build prints for a second. */
const PAUSE = 100;
/** A killed runner is found soon, and one that has to wait for a processor is not taken for it. */
const LEASE_SECONDS = 10;
const KILLS = depth.killedRunners + depth.killedServers;
const ENDED_BETWEEN_KILLS = Math.floor(depth.buildsOfFleet / (KILLS + 1));
/** Milliseconds for all builds, on processors that other work keeps busy, too. */
const PATIENCE = 420_000;

// The builds of a first try would have ended.
jest.retryTimes(0);

/** An organization with its app, and what its jobs may use. */
interface Owner {
  readonly tenant: Tenant;
  readonly app: TestApp;
  readonly limit: number;
  readonly builds: TestBuild[];
}

let site: OwnSite;
let second: ServerProcess;
let secondPort: string;
let started: RunnerFleet | undefined;
const owners: Owner[] = [];
const runners: { origin: string; token: string }[] = [];

beforeAll(async () => {
  secondPort = String(await freePort());
  site = await OwnSite.start({
    PORT: String(await freePort()),
    JOB_LEASE_SECONDS: String(LEASE_SECONDS),
    RATE_LIMIT_TOKEN: '0',
    RATE_LIMIT_RUNNER: '0',
  });
  second = await OwnSite.beside(site, { PORT: secondPort });
  await noteJobMoments(site);
  for (const { runners: count, limit } of ORGANIZATIONS) {
    const tenant = await createTenant(site);
    owners.push({ tenant, app: await createApp(tenant), limit, builds: [] });
    await site.query('INSERT INTO job_queues (organization_id, running_limit) VALUES ($1, $2)', [
      tenant.organizationId,
      limit,
    ]);
    for (let index = 0; index < count; index++) {
      const { origin } = index % 2 === 0 ? site : second;
      runners.push({ origin, token: await registerRunner(tenant) });
    }
  }
  // Before the runners take the processors.
  for (const { app, builds } of owners) {
    const command = { dependencyInstallCommand: 'true', webBuildCommand: 'node build.cjs' };
    const config = { cloud: { apps: [{ appId: app.id, ...command }] } };
    const files = { 'capawesome.config.json': JSON.stringify(config) };
    const appBuildSourceId = await uploadSource(
      app,
      webProject(app.id, { lines: LINES, pause: PAUSE, files }),
    );
    for (let index = 0; index < BUILDS; index++) builds.push(await startBuild(app, { appBuildSourceId }));
  }
});
afterAll(async () => {
  await started?.dispose();
  await second.kill();
  await site.dispose();
});

const next = randomOf(seed);

async function countEnded(): Promise<number> {
  const [row] = await site.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM jobs WHERE finished_at IS NOT NULL',
  );
  return row?.count ?? 0;
}

/** Kills a runner in the middle of a build. @param spared those that were killed before */
async function killRunner(fleet: RunnerFleet, spared: Set<string>): Promise<void> {
  const victim = await eventually(async () => {
    const rows = await site.query<{ id: string }>(
      `SELECT job_leases.runner_id AS id FROM job_leases JOIN jobs ON jobs.id = job_id WHERE status = 'in_progress'`,
    );
    const others = rows.map(({ id }) => id).filter((id) => !spared.has(id));
    expect(others).not.toEqual([]);
    return others[Math.floor(next() * others.length)] ?? '';
  });
  spared.add(victim);
  expect(await fleet.replace(victim)).toBe(true);
}

/** Kills one of the two servers, which is away for a moment. */
async function killServer(isFirst: boolean): Promise<void> {
  await (isFirst ? site.server : second).kill();
  await sleep(next() * 2000);
  if (isFirst) await site.restart();
  else second = await OwnSite.beside(site, { PORT: secondPort });
}

/** Looks again and again how many jobs of each organization run. @returns ends it, with the largest numbers */
function watch(): () => Promise<number[]> {
  const peaks = owners.map(() => 0);
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const rows = await site.query<{ id: string; count: number }>(
        `SELECT organization_id AS id, count(*)::int AS count FROM jobs WHERE status IN ('pending', 'in_progress') GROUP BY 1`,
      );
      for (const [index, { tenant }] of owners.entries()) {
        const count = rows.find(({ id }) => id === tenant.organizationId)?.count ?? 0;
        peaks[index] = Math.max(peaks[index] ?? 0, count);
      }
      await sleep(30);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return peaks;
  };
}

it(`ends ${depth.buildsOfFleet} builds at two servers and many runners once each, while ${KILLS} processes are killed`, async () => {
  const startedAt = Date.now();
  const unwatch = watch();
  const fleet = await RunnerFleet.start(runners);
  started = fleet;
  const killed = new Set<string>();
  let memory = 0;
  let servers = 0;
  const firstServer = Math.floor(next() * 2);
  const patience = (): number => Math.max(0, startedAt + PATIENCE - Date.now());
  for (let kill = 1; kill <= KILLS; kill++) {
    const due = kill * ENDED_BETWEEN_KILLS;
    await eventually(async () => expect(await countEnded()).toBeGreaterThanOrEqual(due), patience());
    memory = Math.max(memory, await fleet.memory());
    // Servers are spread over the runners.
    const isServer = Math.floor((kill * depth.killedServers) / KILLS) > servers;
    if (isServer) await killServer((firstServer + servers++) % 2 === 0);
    else await killRunner(fleet, killed);
  }
  await eventually(async () => expect(await countEnded()).toBe(depth.buildsOfFleet), patience());
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const seen = await unwatch();
  expect([killed.size, servers]).toEqual([depth.killedRunners, depth.killedServers]);

  const moments = await jobMoments(site);
  for (const [index, { tenant, limit, app, builds }] of owners.entries()) {
    // Both: what others could see, and what was written.
    expect([seen[index], peakOf(moments, tenant.organizationId)]).toEqual([limit, limit]);
    await inGroups(builds.entries(), ([at, build]) => expectWhole(app, build, at + 1));
  }
  const final = ['succeeded', 'failed', 'canceled', 'rejected', 'timed_out'];
  const ends = moments.filter(({ to }) => final.includes(to)).map(({ jobId }) => jobId);
  const ids = owners.flatMap(({ builds }) => builds.map(({ jobId }) => jobId));
  expect(ends.sort()).toEqual(ids.sort());
  expect(await site.query('SELECT FROM job_leases')).toEqual([]);
  const repeated = moments.filter(({ from, to }) => from === 'in_progress' && to === 'queued').length;
  expect(repeated).toBeGreaterThan(0);

  expect(await fleet.drain()).toEqual(
    ORGANIZATIONS.flatMap(({ runners }) => Array(runners).fill(0) as number[]),
  );
  expect(await fleet.leftFolders()).toEqual([]);
  await eventually(async () => expect(await fleet.processes()).toEqual([]));
  process.stdout.write(
    `${depth.buildsOfFleet} builds: ${JSON.stringify({ seed, seconds, repeated, memory })}\n`,
  );
}, 900_000);

/** Calls for each, ten at once. */
async function inGroups<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  while (left.length > 0) await Promise.all(left.splice(0, 10).map(work));
}

/** The job has ended, with one artifact if it succeeded, and each attempt has its lines once and in order. */
async function expectWhole(app: TestApp, { id, jobId }: TestBuild, number: number): Promise<void> {
  const job = await readJob(app, jobId);
  const { status, statusMessage, jobLogs } = job as unknown as {
    status: string;
    statusMessage: string | null;
    jobLogs: { number: number }[];
  };
  expect(jobLogs.map((line) => line.number)).toEqual(jobLogs.map((_line, at) => at + 1));
  const attempts = byAttempt(linesOf(job));
  const full = Array.from({ length: LINES }, (_value, at) => `line ${at + 1} of build ${number}`);
  for (const [index, lines] of attempts.entries()) {
    const isWhole = status === 'succeeded' && index === attempts.length - 1;
    expect(lines).toEqual(isWhole ? full : full.slice(0, lines.length));
  }
  const artifacts = await site.query('SELECT status, blob_id FROM build_artifacts WHERE build_id = $1', [id]);
  if (status === 'succeeded') {
    expect(artifacts).toEqual([{ status: 'ready', blob_id: expect.any(String) }]);
  } else {
    expect([status, statusMessage, attempts.length]).toEqual([
      'failed',
      'Two runners were lost during the job.',
      2,
    ]);
    expect(artifacts).toEqual([]);
  }
}

/** The lines that the build printed, of each attempt. */
function byAttempt(lines: readonly string[]): string[][] {
  const attempts: string[][] = [[]];
  for (const line of lines) {
    if (line === attemptNote(attempts.length + 1)) attempts.push([]);
    else if (line.startsWith('line ')) attempts.at(-1)?.push(line);
  }
  return attempts;
}
