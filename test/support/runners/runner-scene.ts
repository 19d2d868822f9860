import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { eventually } from '../eventually.js';
import { startBuild, type TestBuild } from '../native-builds/leases.js';
import { uploadSource } from '../native-builds/sources.js';
import { registerRunner } from './start-runner.js';
import { type WebProject, webProject } from './web-project.js';
import { freePort } from '../../setup/free-port.js';
import { OwnSite } from '../servers/own-site.js';
import { RunnerProcess, type RunnerStart } from './runner-process.js';

/** A job as the API shows it, with its log. */
export interface SeenJob {
  readonly id: string;
  readonly status: string;
  readonly statusMessage: string | null;
  readonly failedStep: string | null;
  readonly jobLogs: readonly { readonly number: number; readonly payload: string }[];
}

/** How long a build may take here, in milliseconds. */
const PATIENCE = 60_000;
const FINAL = ['succeeded', 'failed', 'canceled', 'rejected', 'timed_out'];

/** A server of its own with short leases, an app, and runners in processes of their own. */
export class RunnerScene {
  private readonly runners: RunnerProcess[] = [];
  private readonly dirs: string[] = [];

  private constructor(
    readonly site: OwnSite,
    readonly tenant: Tenant,
    readonly app: TestApp,
  ) {}

  /** @param env of the server; it keeps its port when it is started again */
  static async create(env: Readonly<Record<string, string>> = {}): Promise<RunnerScene> {
    const site = await OwnSite.start({ PORT: String(await freePort()), JOB_LEASE_SECONDS: '4', ...env });
    const tenant = await createTenant(site);
    return new RunnerScene(site, tenant, await createApp(tenant));
  }

  /** Registers a runner. @returns its token */
  register(values: object = {}): Promise<string> {
    return registerRunner(this.tenant, values);
  }

  /** A new `RUNNER_DIR`. */
  async dir(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'slipway-runner-'));
    this.dirs.push(dir);
    return dir;
  }

  /** Starts a runner, by default one that is new, and waits until it has a session. */
  async start(values: Partial<RunnerStart> = {}): Promise<RunnerProcess & { readonly dir: string }> {
    const runner = await this.spawn(values);
    await runner.waitFor(/waits for jobs/);
    return runner;
  }

  /** The same, without waiting. */
  async spawn(values: Partial<RunnerStart> = {}): Promise<RunnerProcess & { readonly dir: string }> {
    const dir = values.dir ?? (await this.dir());
    const token = values.token ?? (await this.register());
    const runner = RunnerProcess.start({ origin: this.site.origin, ...values, token, dir });
    this.runners.push(runner);
    return Object.assign(runner, { dir });
  }

  /** Starts a web build of an uploaded project. */
  async build(project: WebProject = {}, values: object = {}): Promise<TestBuild> {
    const appBuildSourceId = await uploadSource(this.app, webProject(this.app.id, project));
    return startBuild(this.app, { appBuildSourceId, ...values });
  }

  async job({ jobId }: TestBuild): Promise<SeenJob> {
    const { status, body } = await this.app.api.get(`/v1/jobs/${jobId}?relations=jobLogs`);
    expect(status).toBe(200);
    return body as SeenJob;
  }

  /** Waits for the end of a job. */
  finished(build: TestBuild, patience = PATIENCE): Promise<SeenJob> {
    return eventually(async () => {
      const job = await this.job(build);
      expect(FINAL).toContain(job.status);
      return job;
    }, patience);
  }

  /** Waits until the log of a job has a text. */
  async logged(build: TestBuild, text: string): Promise<void> {
    await eventually(async () => expect(logOf(await this.job(build))).toContain(text), PATIENCE);
  }

  /** Kills what a failed test left: its runner would take the jobs of the next one. */
  async killRunners(): Promise<void> {
    const runners = this.runners.splice(0);
    for (const runner of runners) runner.process.kill('SIGKILL');
    await Promise.all(runners.map((runner) => runner.exit()));
  }

  /** Kills all runners, and the server, and removes what they had. */
  async dispose(): Promise<void> {
    await this.killRunners();
    await this.site.dispose();
    for (const dir of this.dirs) await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The whole log of a job as one text. */
export function logOf({ jobLogs }: SeenJob): string {
  return jobLogs.map(({ payload }) => payload).join('\n');
}

/** Names of the job folders of a runner. */
export function jobFolders(dir: string): Promise<string[]> {
  return readdir(join(dir, 'jobs')).catch(() => []);
}
