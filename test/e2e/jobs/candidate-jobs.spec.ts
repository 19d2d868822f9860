import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { Config } from '../../../src/config/config.js';
import type { Sql } from '../../../src/database/sql.js';
import { fits } from '../../../src/jobs/job-queues/abilities.js';
import type { JobQueuesQueries, RunnerClass } from '../../../src/jobs/job-queues/job-queues.queries.js';
import { cloneDatabase, dropDatabase } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

const BUILT = join(import.meta.dirname, '../../../dist/src/jobs/job-queues/job-queues.queries.js');
type Built = typeof import('../../../src/jobs/job-queues/job-queues.queries.js');

const organizations = [uuid(), uuid()] as const;
/** Two of each organization. */
const apps = organizations.flatMap((organizationId) =>
  [uuid(), uuid()].map((appId) => ({ appId, organizationId })),
);

let url: string;
let client: pg.Client;
let queries: JobQueuesQueries;

beforeAll(async () => {
  url = await cloneDatabase(testEnvironment().templateUrl);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  // Jobs without organizations and apps, also of a kind that no runner executes.
  await client.query('SET session_replication_role = replica');
  const { JobQueuesQueries: Queries } = (await import(pathToFileURL(BUILT).href)) as Built;
  const sql = {
    query: async (text: string, values: unknown[]) => (await client.query<object>(text, values)).rows,
  };
  queries = new Queries(sql as unknown as Sql, {} as Config);
});
afterAll(async () => {
  await client.end();
  await dropDatabase(url);
});

/** Every n-th job is a minute older, so that none are of the same age. */
const anyJob = fc.record({
  app: fc.constantFrom(...apps),
  platform: fc.constantFrom('web', 'ios', 'android'),
  stack: fc.constantFrom('macos-tahoe', 'macos-sequoia'),
  labels: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
  isAutomated: fc.boolean(),
  isHeld: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  kind: fc.constantFrom('build', 'build', 'build', 'import'),
  status: fc.constantFrom('queued', 'queued', 'queued', 'pending'),
});

const anyClass = fc.record({
  organizationId: fc.constantFrom(null, ...organizations),
  appIds: fc.option(
    fc.subarray(
      apps.map(({ appId }) => appId),
      { minLength: 1 },
    ),
  ),
  platforms: fc.subarray(['web', 'ios', 'android']),
  stacks: fc.subarray(['macos-tahoe', 'macos-sequoia']),
  labels: fc.subarray(['a', 'b', 'c']),
});

type AnyJob = typeof anyJob extends fc.Arbitrary<infer T> ? T : never;
type Queued = AnyJob & { readonly id: string };

/** Queues the jobs, the first one oldest. */
async function insert(jobs: readonly Queued[]): Promise<void> {
  await client.query(
    `INSERT INTO jobs (id, organization_id, app_id, kind, status, platform, stack, labels, is_automated, is_held,
                       queued_at, created_at)
     SELECT job.id, app."organizationId", app."appId", kind, status, platform, stack,
            ARRAY(SELECT jsonb_array_elements_text(labels)), "isAutomated", "isHeld" AND kind = 'build', now(),
            now() - (jsonb_array_length($1) - n + 0.5) * interval '1 minute'
       FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (id uuid, app jsonb, kind text, status text, platform text,
                       stack text, labels jsonb, "isAutomated" boolean, "isHeld" boolean)) WITH ORDINALITY
            AS job (id, app_object, kind, status, platform, stack, labels, "isAutomated", "isHeld", n),
            jsonb_to_record(app_object) AS app ("appId" uuid, "organizationId" uuid)`,
    [JSON.stringify(jobs)],
  );
}

/** What the statements load for these runners. @returns ids, the oldest job first */
async function candidates(jobs: readonly Queued[], classes: readonly RunnerClass[]): Promise<string[]> {
  await client.query('BEGIN');
  try {
    await insert(jobs);
    const found = await queries.jobs(await queries.apps(organizations), classes);
    return found.map(({ id }) => id);
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Whether a runner may have the job at all. */
const isWaiting = ({ kind, status, isHeld }: Queued): boolean =>
  kind === 'build' && status === 'queued' && !isHeld;

const anyJobs = fc
  .array(anyJob, { maxLength: 25 })
  .map((jobs) => jobs.map((job): Queued => ({ ...job, id: uuid() })));
const needsOf = ({ app, platform, stack, labels }: Queued) => ({ ...app, platform, stack, labels });

it('are those that fit a waiting runner, as the matching decides again', async () => {
  await fc.assert(
    fc.asyncProperty(anyJobs, fc.array(anyClass, { maxLength: 4 }), async (jobs, classes) => {
      const unlimited = classes.map((each) => ({ ...each, count: 100 }));
      const expected = jobs.filter(
        (job) => isWaiting(job) && classes.some((runner) => fits(needsOf(job), runner)),
      );
      expect(await candidates(jobs, unlimited)).toEqual(expected.map(({ id }) => id));
    }),
    { numRuns: 200 },
  );
});

it('are the oldest of each app, no more than the runners of a class can take, for people and for automations', async () => {
  await fc.assert(
    fc.asyncProperty(anyJobs, anyClass, fc.integer({ min: 1, max: 3 }), async (jobs, runner, count) => {
      const fitting = jobs.filter((job) => isWaiting(job) && fits(needsOf(job), runner));
      const youngAfter = jobs.length - 10;
      const groups = Map.groupBy(
        fitting,
        (job) => `${job.app.appId} ${job.isAutomated && jobs.indexOf(job) >= youngAfter}`,
      );
      const expected = [...groups.values()].flatMap((group) => group.slice(0, count));
      expect((await candidates(jobs, [{ ...runner, count }])).toSorted()).toEqual(
        expected.map(({ id }) => id).toSorted(),
      );
    }),
    { numRuns: 100 },
  );
});
