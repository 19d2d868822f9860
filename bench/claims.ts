import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { query } from '../test/setup/databases.ts';
import { type Instance, withInstance } from './instance.ts';
import { median } from './measure.ts';
import { Results } from './results.ts';

/**
 * `npm run bench:claims`: how many jobs a second two replicas give to 200 runners, what a day of jobs writes, and what
 * readers cost that follow logs. docs/performance.md has the figures.
 */

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '10000' },
    runners: { type: 'string', default: '200' },
    readers: { type: 'string', default: '50' },
  },
});
const [JOBS, RUNNERS, READERS] = [Number(values.jobs), Number(values.runners), Number(values.readers)];
const APPS = 10;
/** What a job logs in a simulated day: chunks, and bytes of each. */
const CHUNKS = 4;
const CHUNK_BYTES = 8000;
const FOLLOWED_BYTES = 4_000_000;
const FOLLOW_SECONDS = 30;
const TABLES = ['jobs', 'job_leases', 'job_logs', 'job_log_chunks', 'job_queues', 'audit_events'];

interface Runner {
  readonly token: string;
  readonly sessionId: string;
  readonly origin: string;
}

interface Claimed {
  readonly job: { readonly id: string };
  readonly jobToken: string;
}

const results = new Results('claims');
await withInstance(measure, { env: { RATE_LIMIT_RUNNER: '0' } });
await results.write();

async function measure(instance: Instance): Promise<void> {
  const second = await instance.startReplica();
  const apps: string[] = [];
  for (let n = 0; n < APPS; n++)
    apps.push((await instance.call<{ id: string }>('POST', '/v1/apps', { name: `App ${n}` })).id);
  const [app] = await query<{ organization_id: string }>(
    instance.databaseUrl,
    'SELECT organization_id FROM apps LIMIT 1',
  );
  const organizationId = app?.organization_id ?? '';
  const runners = await createRunners(instance, organizationId, [instance.origin, second.origin]);

  const claims = Math.min(2000, JOBS);
  await queue(instance, organizationId, apps, claims);
  results.add('Claims only', [await claimOnly(instance, runners, claims)]);

  await queue(instance, organizationId, apps, JOBS);
  results.add('A day of jobs', [await day(instance, runners)]);
  results.add('Tables after it', await sizes(instance));
  results.add('VACUUM', await vacuum(instance));

  results.add('Readers that follow logs', [await follow(instance, organizationId, apps[0] ?? '', runners)]);
}

async function createRunners(
  instance: Instance,
  organizationId: string,
  origins: string[],
): Promise<Runner[]> {
  const runners: Runner[] = [];
  for (let n = 0; n < RUNNERS; n++) {
    const origin = origins[n % origins.length] as string;
    const { token } = await instance.call<{ token: string }>(
      'POST',
      `/v1/organizations/${organizationId}/runners`,
      { name: `Runner ${n}` },
    );
    const report = {
      version: '1.0.0',
      os: 'linux',
      arch: 'x64',
      platforms: ['web'],
      stacks: [],
      labels: [],
      slots: 1,
    };
    const session = await send<{ id: string }>(origin, token, 'POST', '/v1/runner/sessions', report);
    runners.push({ token, origin, sessionId: session?.id ?? '' });
  }
  return runners;
}

async function queue(
  { databaseUrl }: Instance,
  organizationId: string,
  apps: string[],
  count: number,
): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO jobs (id, organization_id, app_id, kind, status, platform, stack, queued_at)
     SELECT gen_random_uuid(), $1, ($2::uuid[])[1 + n % $3], 'build', 'queued', 'web', 'macos-tahoe', now()
       FROM generate_series(1, $4) AS n`,
    [organizationId, apps, apps.length, count],
  );
  await query(databaseUrl, `SELECT pg_notify('jobs', $1)`, [organizationId]);
}

/** Runs `work` for each job, on all runners at the same time. @returns jobs a second, and the median time of a claim */
async function drain(
  runners: readonly Runner[],
  count: number,
  work: (claimed: Claimed, runner: Runner) => Promise<void>,
): Promise<{ seconds: number; claim: number }> {
  let taken = 0;
  const times: number[] = [];
  const begin = performance.now();
  let end = begin;
  await Promise.all(
    runners.map(async (runner) => {
      while (taken < count) {
        const start = performance.now();
        const body = { sessionId: runner.sessionId, claimId: randomUUID() };
        const claimed = await send<Claimed>(runner.origin, runner.token, 'POST', '/v1/runner/claims', body);
        if (claimed === null) continue;
        taken++;
        times.push(performance.now() - start);
        await work(claimed, runner);
        // The claims of the others wait in vain at the end.
        end = performance.now();
      }
    }),
  );
  return { seconds: (end - begin) / 1000, claim: median(times) };
}

async function claimOnly({ databaseUrl }: Instance, runners: readonly Runner[], count: number) {
  // A job that runs ends when the organization is deleted: here, with its row.
  const { seconds, claim } = await drain(runners, count, async ({ job }) => {
    await query(databaseUrl, 'DELETE FROM jobs WHERE id = $1', [job.id]);
  });
  return {
    runners: runners.length,
    jobs: count,
    'jobs/s': (count / seconds).toFixed(0),
    'claim (median)': `${claim.toFixed(0)} ms`,
  };
}

async function day(instance: Instance, runners: readonly Runner[]) {
  const before = await walPosition(instance);
  const chunk = lines(CHUNK_BYTES);
  const { seconds, claim } = await drain(runners, JOBS, async ({ jobToken }, { origin }) => {
    const path = '/v1/runner/job';
    await send(origin, jobToken, 'POST', `${path}/start`);
    for (let n = 0; n < CHUNKS; n++) await append(origin, jobToken, n * CHUNK_BYTES, chunk);
    await send(origin, jobToken, 'PUT', `${path}/lease`);
    const end = {
      attempt: 1,
      status: 'failed',
      statusMessage: 'The build failed.',
      logBytes: CHUNKS * CHUNK_BYTES,
    };
    await send(origin, jobToken, 'POST', `${path}/finish`, end);
  });
  const [row] = await query<{ bytes: number }>(
    instance.databaseUrl,
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::float8 AS bytes`,
    [before],
  );
  return {
    jobs: JOBS,
    'jobs/s': (JOBS / seconds).toFixed(0),
    'claim (median)': `${claim.toFixed(0)} ms`,
    'log of each': `${(CHUNKS * CHUNK_BYTES) / 1000} kB`,
    'WAL of each': `${((row?.bytes ?? 0) / JOBS / 1000).toFixed(1)} kB`,
  };
}

async function walPosition({ databaseUrl }: Instance): Promise<string> {
  const [row] = await query<{ position: string }>(
    databaseUrl,
    'SELECT pg_current_wal_lsn()::text AS position',
  );
  return row?.position ?? '0/0';
}

function sizes({ databaseUrl }: Instance) {
  return query<Record<string, string>>(
    databaseUrl,
    `SELECT name AS table, pg_size_pretty(sum(pg_table_size(part))) AS table_size,
            pg_size_pretty(sum(pg_indexes_size(part))) AS indexes
       FROM unnest($1::text[]) WITH ORDINALITY AS t (name, n)
      CROSS JOIN LATERAL (SELECT name::regclass AS part UNION
                          SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = name::regclass) AS parts
      GROUP BY name, n ORDER BY n`,
    [TABLES],
  );
}

async function vacuum(instance: Instance) {
  const rows = [];
  for (const table of ['jobs', 'job_leases', 'job_logs', 'job_log_chunks']) {
    const begin = performance.now();
    await query(instance.databaseUrl, `VACUUM (ANALYZE) ${table}`);
    rows.push({ table, time: `${(performance.now() - begin).toFixed(0)} ms` });
  }
  return rows;
}

/** One running job with a log of 4 MB, and readers that ask for all of it every three seconds, as the CLI does. */
async function follow(
  instance: Instance,
  organizationId: string,
  appId: string,
  [runner]: readonly Runner[],
) {
  if (runner === undefined) throw new Error('There is no runner.');
  await queue(instance, organizationId, [appId], 1);
  const body = { sessionId: runner.sessionId, claimId: randomUUID() };
  let claimed: Claimed | null = null;
  while (claimed === null)
    claimed = await send<Claimed>(runner.origin, runner.token, 'POST', '/v1/runner/claims', body);
  const { job, jobToken } = claimed;
  await send(runner.origin, jobToken, 'POST', '/v1/runner/job/start');
  const step = 60_000;
  let offset = 0;
  for (; offset + step <= FOLLOWED_BYTES; offset += step)
    await append(runner.origin, jobToken, offset, lines(step));
  const times: number[] = [];
  const until = performance.now() + FOLLOW_SECONDS * 1000;
  const cpu = await cpuOf(instance.server.process.pid ?? 0);
  let bytes = 0;
  await Promise.all(
    Array.from({ length: READERS }, async (_, index) => {
      await sleep((index / READERS) * 3000);
      while (performance.now() < until) {
        const begin = performance.now();
        const response = await fetch(`${instance.origin}/v1/jobs/${job.id}?relations=jobLogs`, {
          headers: { Authorization: `Bearer ${instance.token}`, 'Accept-Encoding': 'gzip' },
        });
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
        bytes = (await response.arrayBuffer()).byteLength;
        const took = performance.now() - begin;
        times.push(took);
        await sleep(Math.max(0, 3000 - took));
      }
    }),
  );
  const used = (await cpuOf(instance.server.process.pid ?? 0)) - cpu;
  times.sort((a, b) => a - b);
  return {
    readers: READERS,
    log: `${(bytes / 1e6).toFixed(1)} MB`,
    responses: times.length,
    median: `${median(times).toFixed(0)} ms`,
    p95: `${(times[Math.floor(times.length * 0.95)] ?? 0).toFixed(0)} ms`,
    'processor time of each': `${((used / times.length) * 1000).toFixed(1)} ms`,
  };
}

/** Processor time of a process so far, in seconds. */
async function cpuOf(pid: number): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function lines(bytes: number): string {
  const line = () => `${randomBytes(37).toString('hex')} done\n`;
  let text = '';
  while (text.length < bytes) text += line();
  return `${text.slice(0, bytes - 1)}\n`;
}

async function append(origin: string, token: string, offset: number, text: string): Promise<void> {
  const response = await fetch(`${origin}/v1/runner/job/log`, {
    method: 'PATCH',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'text/plain',
      'Upload-Offset': String(offset),
    },
    body: text,
  });
  if (response.status !== 202) throw new Error(`log: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** @returns `null` for 204 */
async function send<T>(
  origin: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<T | null> {
  const response = await fetch(origin + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return text === '' ? null : (JSON.parse(text) as T);
}
