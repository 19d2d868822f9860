import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Site } from '../../builders/identities.js';
import { createRunner } from '../../builders/runner.js';
import { query } from '../../setup/databases.js';
import { sha256 } from '../sha256.js';
import { createReceiver, type EventRow, READ_EVENTS, type SceneWebhook, SeenEvents } from './job-events.js';
import { isFinal, violationsOf } from './job-invariants.js';
import { JobModel, type JobRow, type SimulatedRunner, type Snapshot } from './job-model.js';
import { pick } from './job-command.js';
import type { JobWorld } from './job-world.js';
import type { SimulatedResponse, Call, Replica } from './replica.js';

const time = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

const READ = `
  SELECT ${time('clock_timestamp()')} AS now, job.id, app_id AS "appId", status, status_message AS "statusMessage", attempts, timeout_seconds AS "timeoutSeconds",
         finished_lease_id AS "finishedLeaseId", ${time('queued_at')} AS "queuedAt", ${time('pending_at')} AS "pendingAt",
         ${time('in_progress_at')} AS "inProgressAt", ${time('finished_at')} AS "finishedAt", lease.id AS "leaseId",
         lease.session_id AS "sessionId", ${time('granted_at')} AS "grantedAt", ${time('expires_at')} AS "expiresAt",
         ${time('logged_at')} AS "loggedAt", coalesce(log_bytes, 0)::int AS "logBytes"
    FROM (SELECT) AS one LEFT JOIN (jobs AS job LEFT JOIN job_leases AS lease ON lease.job_id = job.id) ON organization_id = $1`;

/** The API is compared with each third reading of the database. */
const LIST_EVERY = 3;

/** How the durations of a job are called in responses. */
const DURATIONS = [
  'queueTimeInSeconds',
  'pendingTimeInSeconds',
  'inProgressTimeInSeconds',
  'totalTimeInSeconds',
];

/** One run: an organization with two apps and two runners, and what has happened to it. */
export class JobScene {
  /** What happened, for people who read a failure. */
  readonly trace: string[] = [];
  readonly model: JobModel;
  private readonly seenEvents = new SeenEvents();
  private reads = 0;

  private constructor(
    readonly world: JobWorld,
    readonly apps: readonly TestApp[],
    readonly sources: readonly string[],
    readonly runners: readonly SimulatedRunner[],
    readonly webhook: SceneWebhook,
  ) {
    this.model = new JobModel(apps.map(({ id }) => id));
  }

  static async create(world: JobWorld): Promise<JobScene> {
    for (;;) {
      await world.settle();
      try {
        return await JobScene.createOnce(world);
      } catch (error) {
        // Until what a former run did to the replicas is over, requests may fail.
        if (!world.replicas.some((replica) => replica.isDisturbed)) throw error;
      }
    }
  }

  private static async createOnce(world: JobWorld): Promise<JobScene> {
    const site: Site = { origin: world.replicas[0].origin, databaseUrl: world.databaseUrl };
    const tenant = await createTenant(site);
    const apps = [await createApp(tenant), await createApp(tenant)];
    const sources = await Promise.all(apps.map((app) => createSource(site, app)));
    const runners = await Promise.all(
      [2, 3].map(async (slots) => {
        const { id, api, sessionId } = await createRunner(tenant, {}, { slots });
        return { id, token: api.token ?? '', slots, sessionId, isEnded: false };
      }),
    );
    const scene = new JobScene(world, apps, sources, runners, await createReceiver(world, tenant));
    await scene.observe();
    return scene;
  }

  get organizationId(): string {
    return this.apps[0]?.tenant.organizationId ?? '';
  }

  get ownerToken(): string {
    return this.apps[0]?.tenant.owner.token ?? '';
  }

  query<T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> {
    return query<T>(this.world.databaseUrl, sql, values);
  }

  /**
   * Sends a request to a replica.
   *
   * @throws Error for an answer that no request may get: 500, or 503 without an outage
   */
  async send(replica: Replica, call: Call): Promise<SimulatedResponse> {
    const isDisturbed = replica.isDisturbed;
    const answer = await replica.send(call);
    const detail = answer.status >= 400 ? ` ${JSON.stringify(answer.body)}` : '';
    this.trace.push(
      `  ${call.method} ${call.path} ${JSON.stringify(call.body ?? null).slice(0, 120)}: ${answer.status}${detail}`,
    );
    const isOutage = answer.status === 503 && (isDisturbed || replica.isDisturbed);
    if (answer.status >= 500 && !isOutage)
      throw new Error(`A request got ${answer.status}: ${JSON.stringify(answer.body)}`);
    return isOutage ? { status: 0, body: {} } : answer;
  }

  /** The clock of the database, in milliseconds. */
  async clock(): Promise<number> {
    const [row] = await this.query<{ now: number }>(`SELECT ${time('clock_timestamp()')} AS now`);
    return (row?.now ?? NaN) + this.world.postgres.added;
  }

  async read(): Promise<Snapshot> {
    const { added } = this.world.postgres;
    // One row without a job has the clock at least.
    const all = await this.query<JobRow & { now: number }>(READ, [this.organizationId]);
    const rows = all.filter(({ id }) => id !== null);
    const moved = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'number' && name.endsWith('At') ? value + added : value,
        ]),
      ),
    ) as JobRow[];
    return { clock: (all[0]?.now ?? NaN) + added, jobs: new Map(moved.map((row) => [row.id, row])) };
  }

  private readEvents(): Promise<EventRow[]> {
    return this.query<EventRow>(READ_EVENTS, [this.organizationId]);
  }

  /** Reads everything. @throws Error that says what must not be */
  async observe(): Promise<void> {
    const before = await this.readEvents();
    const now = await this.read();
    const after = await this.readEvents();
    const { model } = this;
    model.addClock(now.clock);
    const violations = [
      ...violationsOf(model, now),
      ...this.seenEvents.violationsOf(before, now, after),
      ...(await this.listViolations(now)),
    ];
    this.trace.push(
      `  ${[...now.jobs.values()].map(({ status, attempts }) => `${status}:${attempts}`).join(' ')}`,
    );
    if (violations.length > 0) throw new Error(violations.join('\n'));
    model.last = now;
    model.formerLimits = model.limits;
  }

  /** The API shows what the database has. */
  private async listViolations({ jobs }: Snapshot): Promise<string[]> {
    this.reads++;
    if (this.reads % LIST_EVERY !== 0) return [];
    const replica = pick(this.world.replicas, this.reads);
    const { status, body } = await this.send(replica, {
      method: 'GET',
      path: `/v1/jobs?organizationId=${this.organizationId}&limit=100`,
      token: this.ownerToken,
    });
    if (status !== 200) return status === 0 ? [] : [`The list of jobs got ${status}.`];
    const shown = new Map((body as unknown as Record<string, unknown>[]).map((job) => [job['id'], job]));
    return [...jobs.values()].flatMap((row) => {
      const job = shown.get(row.id);
      if (job === undefined) return [`The API does not list the job ${row.id}.`];
      const isOther = isFinal(row.status) && job['status'] !== row.status;
      const isNegative = DURATIONS.some((name) => Number(job[name] ?? 0) < 0);
      return isOther || isNegative
        ? [`The API shows another job than ${JSON.stringify(row)}: ${JSON.stringify(job)}`]
        : [];
    });
  }
}

/** A source that builds can be made of, although no bytes are stored: nothing reads them. @returns its id */
async function createSource({ databaseUrl }: Site, { id: appId, tenant }: TestApp): Promise<string> {
  const [id, blobId] = [uuid(), uuid()];
  await query(
    databaseUrl,
    `WITH blob AS (INSERT INTO blobs (id, organization_id, sha256, size_in_bytes) VALUES ($1, $2, $3, 1) RETURNING id)
     INSERT INTO build_sources (id, app_id, status, size_in_bytes, blob_id) SELECT $4, $5, 'ready', 1, id FROM blob`,
    [blobId, tenant.organizationId, sha256(blobId), id, appId],
  );
  return id;
}
