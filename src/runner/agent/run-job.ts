import { join } from 'node:path';
import type { FinishJobDto } from '../../jobs/job-leases/runner-jobs.dto.js';
import type { ClaimResponseDto } from '../../jobs/runner-sessions/claim.dto.js';
import type { RunnerSessionDto } from '../../jobs/runner-sessions/runner-session.dto.js';
import { cleanShortText } from '../../common/secrets/clean-lines.js';
import { SecretMasker } from '../../common/secrets/secret-masker.js';
import type { ApiClient } from '../api/api-client.js';
import { JobGoneError, RefusedError } from '../api/api-errors.js';
import { JobApi } from '../api/job-api.js';
import { type BuildRun, type BuiltFile, StepError } from '../steps/build-run.js';
import { machineSentence } from '../steps/machine-errors.js';
import type { JobFolderStore } from '../folders/job-folder-store.js';
import { JobLog } from '../job-log/job-log.js';
import { LogSender } from '../job-log/log-sender.js';
import { LogSpool } from '../job-log/log-spool.js';
import type { JobFolders, Sandbox } from '../sandbox/sandbox.js';
import { JobControl, JobStop, type StopKind } from './job-control.js';
import { keepLease } from './lease-beats.js';
import { openSource } from './open-source.js';
import { stopsWithin } from './stops-within.js';
import { Activity, TimeLimit } from './time-limits.js';
import { uploadArtifact } from './upload-artifact.js';

/** Longest message that the API takes, in characters. */
const MAX_MESSAGE = 1000;
/** How often the end of a job is sent again because a part of its log is missing. */
const RESENDS = 5;
/** How long a build may take to stop, in milliseconds. Afterwards the runner goes on without it: it needs the slot. */
const STOP_WITHIN = 15_000;

/** What the server asks of runners. */
export type JobProtocol = Pick<
  RunnerSessionDto,
  'beatSeconds' | 'maxLogChunkBytes' | 'maxLogBytes' | 'logSeconds'
>;

/** What a job needs. It knows no token but that of the job, and no session. */
export interface JobDeps {
  /** Of the API; its token is not used. */
  readonly client: ApiClient;
  readonly protocol: JobProtocol;
  readonly folders: Pick<JobFolderStore, 'make' | 'remove'>;
  readonly sandbox: Sandbox;
  readonly runDriver: (run: BuildRun) => Promise<readonly BuiltFile[]>;
  /** Aborted when the runner ends at once: builds are killed and not reported. */
  readonly killed: AbortSignal;
  /** Gets the masked log. */
  readonly onLog: (bytes: Buffer) => void;
  /** Gets what the operator has to see: failures of the runner itself. */
  readonly onProblem: (text: string) => void;
  /** How long a build may take to stop, in milliseconds; by default 15 seconds. */
  readonly stopWithin?: number;
}

/** How a job ended for this runner. */
export interface JobEnd {
  readonly status: FinishJobDto['status'] | StopKind;
  /** A sentence without secrets; `null`: there is nothing to say. */
  readonly message: string | null;
}

/** What is reported to the API. */
type Outcome = Pick<FinishJobDto, 'status'> & {
  readonly message: string | null;
  readonly step: string | null;
};

/** The log of a job, and what sends it. */
interface OpenLog {
  readonly log: JobLog;
  readonly spool: LogSpool;
  readonly sender: LogSender;
  readonly masker: SecretMasker;
}

/**
 * Does one job from its start to its end: builds, sends the log and the artifacts, reports the end, and removes what it left.
 * Never throws.
 */
export async function runJob(claim: ClaimResponseDto, deps: JobDeps): Promise<JobEnd> {
  const control = new JobControl(deps.killed);
  const run = new JobRun(claim, deps, control);
  try {
    return await run.do();
  } catch (error) {
    const stop = jobStopOf(error, control);
    if (stop !== null) return { status: stop.kind, message: stop.message };
    deps.onProblem(run.masked(stackOf(error)));
    return { status: 'lost', message: `The API did not accept the end of the job: ${messageOf(error)}` };
  } finally {
    control.stop(new JobStop('lost', 'The job has ended.'));
    await run.clean();
  }
}

class JobRun {
  private readonly api: JobApi;
  private readonly endLease: () => Promise<void>;
  private readonly activity = new Activity();
  private folders: JobFolders | null = null;
  private open: OpenLog | null = null;

  constructor(
    private readonly claim: ClaimResponseDto,
    private readonly deps: JobDeps,
    private readonly control: JobControl,
  ) {
    this.api = new JobApi(deps.client.with(claim.jobToken), control.job);
    this.endLease = keepLease(this.api, deps.protocol.beatSeconds, control, this.activity);
  }

  async do(): Promise<JobEnd> {
    await this.api.start();
    const { stopWithin = STOP_WITHIN, onProblem } = this.deps;
    const outcome = await stopsWithin(this.build(), this.control.build, stopWithin, () =>
      onProblem('The build does not stop. The runner goes on without it.'),
    ).catch((error: unknown) => this.outcomeOf(error));
    return this.report(outcome);
  }

  /** @throws what ended the build */
  private async build(): Promise<Outcome> {
    const { job } = this.claim;
    const limit = new TimeLimit(job, this.control);
    const touch = (): void => {
      limit.touch();
      this.activity.touch();
    };
    try {
      const api = this.api.within(this.control.build);
      const payload = await api.payload();
      this.folders = await this.makeFolders();
      const { log } = (this.open = this.openLog(
        this.folders,
        [...payload.masks, this.claim.jobToken],
        touch,
      ));
      const sandbox = await this.deps.sandbox.open(this.folders);
      for (const note of sandbox.notes) log.line(note);
      const folders = this.folders;
      const files = await this.deps.runDriver({
        payload,
        folders,
        sandbox,
        log,
        signal: this.control.build,
        openSigning: (tools) => this.deps.sandbox.openSigning(folders, tools),
        openSource: () => openSource(api, payload.source, folders, touch),
        report: (values) => api.updateBuild(values),
      });
      this.control.build.throwIfAborted();
      for (const file of files) await uploadArtifact(api, file, touch, this.control.build);
      return { status: 'succeeded', message: null, step: null };
    } finally {
      limit.end();
    }
  }

  /** @throws the reason of the signal; then there are none: the job may have ended without them */
  private async makeFolders(): Promise<JobFolders> {
    const { claim, deps, control } = this;
    const folders = await deps.folders.make(claim.job.id, claim.job.attempt);
    if (control.build.aborted) await deps.folders.remove(folders);
    control.build.throwIfAborted();
    return folders;
  }

  private openLog({ root }: JobFolders, masks: readonly string[], onOutput: () => void): OpenLog {
    const { protocol, onLog } = this.deps;
    const masker = SecretMasker.of(masks);
    const spool = new LogSpool(join(root, 'log'));
    const log = new JobLog(spool, masker, { maxBytes: protocol.maxLogBytes, onOutput, onMasked: onLog });
    return { log, spool, masker, sender: new LogSender(spool, this.api, protocol, this.control.job) };
  }

  /** What the API learns of a build that has not succeeded. @throws JobStop when it learns nothing */
  private outcomeOf(error: unknown): Outcome {
    const stop = jobStopOf(error, this.control);
    if (stop !== null) throw stop;
    const { build } = this.control;
    if (build.aborted) return { status: 'timed_out', message: messageOf(build.reason), step: null };
    if (error instanceof StepError) return { status: 'failed', message: error.message, step: error.step };
    this.deps.onProblem(this.masked(stackOf(error)));
    return {
      status: 'failed',
      message: `The runner failed: ${machineSentence(error) ?? messageOf(error)}`,
      step: null,
    };
  }

  /** Sends the rest of the log, then the end. */
  private async report({ status, message, step }: Outcome): Promise<JobEnd> {
    const text = message === null ? null : this.masked(message);
    if (text !== null) this.open?.log.line(text);
    this.open?.log.end();
    await this.open?.sender.close();
    const end = { attempt: this.claim.job.attempt, step, statusMessage: text?.slice(0, MAX_MESSAGE) ?? null };
    try {
      await this.finish({ ...end, status });
      return { status, message: text };
    } catch (error) {
      // The API knows that something is missing.
      if (!(error instanceof RefusedError) || status !== 'succeeded') throw error;
      await this.finish({ ...end, status: 'failed', statusMessage: error.message, step: 'output' });
      return { status: 'failed', message: error.message };
    }
  }

  private async finish(end: Omit<FinishJobDto, 'logBytes'>): Promise<void> {
    for (let resends = 0; ; resends++) {
      try {
        await this.api.finish({ ...end, logBytes: this.open?.spool.length ?? 0 });
        return;
      } catch (error) {
        const isBehind = error instanceof RefusedError && error.code === 'log_out_of_step';
        if (!isBehind || this.open === null || resends === RESENDS) throw error;
        await this.open.sender.resendFrom(error.headers.get('upload-offset'));
      }
    }
  }

  /** Without secrets. */
  masked(text: string): string {
    return this.open === null ? text : cleanShortText(text, this.open.masker);
  }

  /** Nothing of the job is left. */
  async clean(): Promise<void> {
    await this.endLease();
    await this.open?.sender.close().catch(() => undefined);
    this.open?.spool.close();
    if (this.folders !== null) await this.deps.folders.remove(this.folders);
  }
}

/** @returns `null`: the job is still this runner's */
function jobStopOf(error: unknown, { job }: JobControl): JobStop | null {
  if (job.aborted) return job.reason as JobStop;
  return error instanceof JobGoneError ? new JobStop(error.reason, error.message) : null;
}

/** What an error says, in one text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
