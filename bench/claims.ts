import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { query } from '../test/setup/databases.ts';
import { type Instance, withInstance } from './instance.ts';
import { follow } from './claims/follow.ts';
import { Profile, STATEMENT_SETTINGS } from './claims/profile.ts';
import { append, type Claimed, lines, queueJobs, type Runner, send } from './claims/runner-client.ts';
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
    profile: { type: 'boolean', default: false },
  },
});
const [JOBS, RUNNERS, READERS] = [Number(values.jobs), Number(values.runners), Number(values.readers)];
const APPS = 10;
/** What a job logs in a simulated day: chunks, and bytes of each. */
const CHUNKS = 4;
const CHUNK_BYTES = 8000;
/** Takes a job away from its runner. */
const REMOVE_JOB = `
  WITH lease AS (DELETE FROM job_leases WHERE job_id = $1)
  DELETE FROM jobs WHERE id = $1`;
/** Without triggers: the audit events of ends would hold up claims. The second phase measures whole jobs. */
const NO_TRIGGERS = '-c session_replication_role=replica';
/** Each server writes a profile of its processor time when it stops. */
const CPU_PROFILE = ['--cpu-prof', `--cpu-prof-dir=${join(import.meta.dirname, 'results/claims-profiles')}`];
const TABLES = ['jobs', 'job_leases', 'job_logs', 'job_log_chunks', 'job_queues', 'audit_events'];

const results = new Results('claims');
await withInstance(measure, {
  // Runners as fast as they can, and the usual pace of background jobs.
  env: { RATE_LIMIT_RUNNER: '0', QUEUE_POLL_SECONDS: '5' },
  ...(values.profile ? { settings: STATEMENT_SETTINGS, nodeOptions: CPU_PROFILE } : {}),
});
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
  await queueJobs(instance.databaseUrl, organizationId, apps, claims);
  const profile = await Profile.start(instance.databaseUrl, [instance.server, second], values.profile);
  results.add('Claims only', [await claimOnly(instance, runners, claims)]);
  results.add('Processor time of claims', await profile.processors(claims));
  if (values.profile) results.add('Statements of claims', await profile.statements(claims));

  await queueJobs(instance.databaseUrl, organizationId, apps, JOBS);
  results.add('A day of jobs', [await day(instance, runners)]);
  results.add('Tables after it', await sizes(instance));
  results.add('VACUUM', await vacuum(instance));

  results.add('Readers that follow logs', [
    await follow(instance, organizationId, apps[0] ?? '', runners, READERS),
  ]);
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
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, options: NO_TRIGGERS });
  const { seconds, claim } = await drain(runners, count, async ({ job }) => {
    await pool.query(REMOVE_JOB, [job.id]);
  });
  await pool.end();
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
