import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimResponseDto, RunnerSessionDto } from '../../jobs/runner-sessions/runner-session.dto.js';
import { buildJob, claimSecret, type PodOptions, RUNNER_LABEL } from './build-job.js';
import { type KubernetesApi, KubernetesError } from './kubernetes-api.js';
import type { ManagerApi } from './manager-api.js';

const JOBS = 'batch/v1/jobs';

/** How long a count is valid unless all slots are taken, in milliseconds. */
const VALID = 15_000;

/** Jobs of one request, and requests of one count, at most. */
const PAGE = { size: 200, most: 20 } as const;
interface ListedJob {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Counts the Jobs of a runner that have not finished, also those of the manager before this one. */
class RunningJobs {
  private names = new Set<string>();
  private countedAt = -Infinity;

  constructor(
    private readonly kubernetes: KubernetesApi,
    private readonly runnerId: string,
  ) {}

  /** A Job that was just created. */
  add(name: string): void {
    this.names.add(name);
  }

  /** @param slots from this number on, the list is always read again @throws KubernetesError */
  async count(slots: number): Promise<number> {
    if (this.names.size >= slots || performance.now() - this.countedAt > VALID) {
      this.names = await this.read();
      this.countedAt = performance.now();
    }
    return this.names.size;
  }

  private async read(): Promise<Set<string>> {
    const names = new Set<string>();
    let from: string | undefined;
    for (let page = 0; page < PAGE.most; page++) {
      const { items, metadata } = await this.kubernetes.list<ListedJob>(JOBS, {
        labelSelector: `${RUNNER_LABEL}=${this.runnerId}`,
        limit: String(PAGE.size),
        ...(from === undefined ? {} : { continue: from }),
      });
      for (const job of items) if (!isFinished(job)) names.add(job.metadata.name);
      from = metadata.continue;
      if (from === undefined || from === '') break;
    }
    return names;
  }
}

export interface ManagerOptions {
  readonly slots: number;
  readonly pod: Omit<PodOptions, 'runnerId'>;
  /** A line for the terminal. */
  readonly print: (line: string) => void;
  /** How long a pod may take to start, in seconds. The API takes the job back after ten leases. */
  readonly startSeconds: number;
}

/** Shortest and longest pause after Kubernetes refused a Job, in milliseconds. */
const PAUSE = { shortest: 5000, longest: 120_000 };
/** Pause between two counts while all slots are taken, in milliseconds. */
const FULL_PAUSE = 5000;
/** How long a manager that stops waits for its pods to start, in milliseconds. */
const LEAVE_WITHIN = 30_000;

/** Makes a Job of Kubernetes of each job that it claims: two requests, and the pod does the rest. */
export class Manager {
  private readonly starting = new Set<Promise<void>>();
  private pause = PAUSE.shortest;

  constructor(
    private readonly api: ManagerApi,
    private readonly kubernetes: KubernetesApi,
    private readonly options: ManagerOptions,
  ) {}

  /**
   * Works until it is stopped. Pods continue without it.
   *
   * @throws Error when the API refuses the token or ends the session
   */
  async run(stopping: AbortSignal): Promise<void> {
    const { slots, print } = this.options;
    const session = await this.api.open(stopping).catch((error: unknown) => {
      if (stopping.aborted) return null;
      throw error;
    });
    if (session === null) return;
    const running = new RunningJobs(this.kubernetes, session.runnerId);
    print(`Waiting for jobs: ${slots} pods at the same time.`);
    while (!stopping.aborted) await this.work(session, running, stopping);
    print('Stopping: no more jobs. Pods finish theirs.');
    const left = new AbortController();
    await Promise.race([
      Promise.all(this.starting),
      sleep(LEAVE_WITHIN, undefined, { signal: left.signal }).catch(() => undefined),
    ]);
    left.abort();
    await this.api.end(session).catch(() => undefined);
  }

  private async work(session: RunnerSessionDto, running: RunningJobs, stopping: AbortSignal): Promise<void> {
    let free: number;
    try {
      free = this.options.slots - (await running.count(this.options.slots));
    } catch (error) {
      return this.rest(`The Jobs cannot be counted: ${describe(error)}`, error, stopping);
    }
    if (free <= 0) return wait(FULL_PAUSE, stopping);
    const claim = await this.api.claim(session, randomUUID(), free, stopping).catch((error: unknown) => {
      if (stopping.aborted) return null;
      throw error;
    });
    if (claim === null) return;
    const name = `slipway-build-${claim.job.id}-${randomBytes(3).toString('hex')}`;
    const pod = { ...this.options.pod, runnerId: session.runnerId };
    try {
      const job = await this.kubernetes.create(JOBS, buildJob(name, claim, pod));
      await this.kubernetes.create('v1/secrets', claimSecret(job, { claim, session }, pod));
    } catch (error) {
      await this.remove(name);
      // Its lease is not renewed, so it goes back to the queue, and this attempt does not count.
      return this.rest(`Job ${claim.job.id} goes back to the queue: ${describe(error)}`, error, stopping);
    }
    this.pause = PAUSE.shortest;
    running.add(name);
    this.options.print(`Job ${claim.job.id} runs in ${name}.`);
    const keeping = this.keep(name, claim, session.beatSeconds).finally(() => this.starting.delete(keeping));
    this.starting.add(keeping);
  }

  /** Renews the lease of a job until its pod does. A pod that does not start in time is removed. */
  private async keep(name: string, { job, jobToken }: ClaimResponseDto, beatSeconds: number): Promise<void> {
    const until = Date.now() + this.options.startSeconds * 1000;
    for (;;) {
      await sleep(beatSeconds * 1000);
      const status = await this.api.extend(jobToken);
      if (status === 'in_progress') return;
      if (status === 'pending' && Date.now() < until) continue;
      if (status === 'pending') this.options.print(`Job ${job.id} goes back: ${name} has not started.`);
      // Also one that was canceled, or has already ended.
      return this.remove(name);
    }
  }

  private async remove(name: string): Promise<void> {
    await this.kubernetes.delete(JOBS, name).catch((error: unknown) => {
      this.options.print(`${name} cannot be deleted: ${describe(error)}`);
    });
  }

  /** After a failure, the next try comes later and later. */
  private async rest(line: string, error: unknown, stopping: AbortSignal): Promise<void> {
    const asked = error instanceof KubernetesError ? error.retryAfter : null;
    const pause = Math.min(asked === null ? this.pause : asked * 1000, PAUSE.longest);
    this.pause = Math.min(2 * this.pause, PAUSE.longest);
    this.options.print(`${line} Next try in ${Math.round(pause / 1000)} seconds.`);
    await wait(pause, stopping);
  }
}

function describe(error: unknown): string {
  const { message } = error as Error;
  const status = error instanceof KubernetesError && error.status > 0 ? ` (${error.status})` : '';
  return `${message.replace(/\.$/, '')}${status}.`;
}

async function wait(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopping }).catch(() => undefined);
}

function isFinished({ status }: ListedJob): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );
}
