import { join } from 'node:path';
import type { ClaimResponseDto, RunnerSessionDto } from '../../jobs/runner-sessions/runner-session.dto.js';
import { ApiClient } from '../api/api-client.js';
import { ApiHealth } from '../api/api-health.js';
import { RunnerApi } from '../api/runner-api.js';
import type { BuildRun, BuiltFile } from '../steps/build-run.js';
import { JobFolderStore, TOUCH_EVERY } from '../folders/job-folder-store.js';
import { lockToken, TokenInUseError } from '../folders/token-lock.js';
import { durationOf } from '../job-runs/duration.js';
import { messageOf, runJob } from '../job-runs/run-job.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { claimJob, type ClaimSession, endOf } from './claim-jobs.js';
import { exitCodes, RunnerEnd } from './runner-end.js';
import type { RunnerSettings } from './settings.js';
import type { Terminal } from './terminal.js';

/** What a runner is made of. */
export interface RunnerParts {
  /** Of the program. */
  readonly version: string;
  /**
   * Removes what killed builds have left on the machine, such as keychains.
   *
   * @returns what could not be removed, one sentence each
   */
  removeLeftovers(): Promise<readonly string[]>;
  /** @throws RunnerEnd when there is none */
  findSandbox(): Promise<Sandbox>;
  runDriver(run: BuildRun): Promise<readonly BuiltFile[]>;
}

/** A runner: takes jobs and does them, until it is stopped. */
export class Agent {
  private readonly draining = new AbortController();
  private readonly killed = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private readonly client: ApiClient;
  private readonly api: RunnerApi;
  private readonly folders: JobFolderStore;

  constructor(
    private readonly settings: RunnerSettings,
    private readonly parts: RunnerParts,
    private readonly terminal: Terminal,
  ) {
    const say = (text: string): void => terminal.line(text);
    this.client = new ApiClient(settings.url, settings.token, new ApiHealth(say));
    this.api = new RunnerApi(this.client);
    this.folders = new JobFolderStore(join(settings.dir, 'jobs'), say);
  }

  /** Finishes the jobs that it has, and takes no others. */
  drain(): void {
    if (this.draining.signal.aborted) return;
    this.draining.abort();
    const { size } = this.running;
    const jobs = size === 1 ? '1 job is finished' : `${size} jobs are finished`;
    this.terminal.line(size === 0 ? 'Stopping.' : `Stopping when ${jobs}. Another signal kills what runs.`);
  }

  /** Kills its jobs, without a report: they start once more on another runner. */
  kill(): void {
    this.draining.abort();
    this.killed.abort();
    if (this.running.size > 0) this.terminal.line('Killing what runs.');
  }

  /**
   * Works until it is drained or killed, or until the server gives it no more jobs.
   *
   * @throws RunnerEnd
   */
  async run(): Promise<void> {
    const unlock = await this.lock();
    const timers = [
      setInterval(() => void this.folders.touch(), TOUCH_EVERY),
      setInterval(() => void this.folders.sweep(), 2 * TOUCH_EVERY),
    ];
    try {
      await this.folders.sweep();
      for (const problem of await this.parts.removeLeftovers()) this.terminal.line(problem);
      const sandbox = await this.parts.findSandbox();
      await this.serve(sandbox);
    } catch (error) {
      throw endOf(error);
    } finally {
      await Promise.all(this.running);
      for (const timer of timers) clearInterval(timer);
      await unlock();
    }
  }

  private async lock(): Promise<() => Promise<void>> {
    try {
      return await lockToken(join(this.settings.dir, 'runners'), this.settings.token);
    } catch (error) {
      if (error instanceof TokenInUseError) throw new RunnerEnd(exitCodes.tokenInUse, error.message);
      throw new RunnerEnd(exitCodes.settings, `RUNNER_DIR cannot be used: ${(error as Error).message}.`);
    }
  }

  private async serve(sandbox: Sandbox): Promise<void> {
    const { signal } = this.draining;
    const current = await this.open(sandbox).catch(ignoreIf(signal));
    if (current === undefined) return;
    const session: ClaimSession = { api: this.api, current, reopen: () => this.open(sandbox) };
    this.terminal.line(this.greeting(session.current, sandbox));
    try {
      await this.takeJobs(session, sandbox).catch(ignoreIf(signal));
      await Promise.all(this.running);
    } catch (error) {
      const end = endOf(error);
      const isReplaced = end instanceof RunnerEnd && end.exitCode === exitCodes.tokenInUse;
      // Another process has the token: it gets the jobs that are not started, and starts the others once more.
      if (isReplaced) this.kill();
      else if (this.running.size > 0) this.terminal.line(`${messageOf(end)} It finishes its jobs.`);
      await Promise.all(this.running);
      throw end;
    } finally {
      await this.api.endSession(session.current.id).catch(() => undefined);
    }
  }

  private async takeJobs(session: ClaimSession, sandbox: Sandbox): Promise<void> {
    const { once, slots } = this.settings;
    const { signal } = this.draining;
    while (!signal.aborted) {
      const free = (once ? 1 : slots) - this.running.size;
      if (free <= 0) {
        await Promise.race(this.running);
        continue;
      }
      const claim = await claimJob(session, free, signal);
      const done = this.do(claim, session.current, sandbox).catch((error: unknown) => {
        this.terminal.line(`Job ${claim.job.id}: ${messageOf(error)}`);
      });
      this.running.add(done);
      void done.finally(() => this.running.delete(done));
      if (once) return;
    }
  }

  private async open(sandbox: Sandbox): Promise<RunnerSessionDto> {
    const { name, platforms, stacks, labels, slots, once } = this.settings;
    const report = {
      name,
      version: this.parts.version,
      os: process.platform,
      arch: process.arch,
      platforms: [...platforms],
      stacks: [...stacks],
      labels: [...labels],
      slots: once ? 1 : slots,
    };
    const session = await this.api.openSession(report, this.draining.signal);
    if (!session.sandboxRequired || sandbox.isSafe) return session;
    await this.api.endSession(session.id).catch(() => undefined);
    throw new RunnerEnd(
      exitCodes.noSandbox,
      `This runner serves all organizations, and ${sandbox.name} does not keep their builds apart: it needs a sandbox.`,
    );
  }

  private async do(claim: ClaimResponseDto, session: RunnerSessionDto, sandbox: Sandbox): Promise<void> {
    const { terminal, settings } = this;
    const { job } = claim;
    const start = Date.now();
    terminal.line(
      `Job ${job.id}: ${job.kind} for ${job.platform} of app ${job.appId}, attempt ${job.attempt}.`,
    );
    const end = await runJob(claim, {
      client: this.client,
      protocol: session,
      folders: this.folders,
      sandbox,
      runDriver: (run) => this.parts.runDriver(run),
      killed: this.killed.signal,
      onLog: settings.verbose ? terminal.logOf(job.id.slice(-8)) : () => undefined,
      onProblem: (text) => terminal.line(`Job ${job.id}: ${text}`),
    });
    const message = end.message === null ? '.' : `: ${end.message}`;
    terminal.line(`Job ${job.id} ${WORDS[end.status]} after ${durationOf(Date.now() - start)}${message}`);
  }

  private greeting(session: RunnerSessionDto, { name, isSafe }: Sandbox): string {
    const { url, slots, once, platforms } = this.settings;
    const jobs = once ? 'one job' : slots === 1 ? 'one job at a time' : `${slots} jobs at the same time`;
    const sandbox = isSafe ? name : `${name}, which does not keep builds apart: trusted repositories only`;
    return `Runner ${session.runnerId} waits for jobs of ${url}: ${jobs}, for ${platforms.join(', ')}, sandbox ${sandbox}.`;
  }
}

const WORDS = {
  succeeded: 'succeeded',
  failed: 'failed',
  timed_out: 'timed out',
  canceled: 'stopped',
  lost: 'stopped',
  killed: 'was killed',
} as const;

/** The error is only that of the signal. */
function ignoreIf(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted || error instanceof RunnerEnd) throw error;
    return undefined;
  };
}
