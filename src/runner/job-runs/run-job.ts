import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FinishJobDto } from '../../jobs/runner-jobs/runner-jobs.dto.js';
import type { ClaimResponseDto, RunnerSessionDto } from '../../jobs/runner-sessions/runner-session.dto.js';
import type { ApiClient } from '../api/api-client.js';
import { JobGoneError } from '../api/api-errors.js';
import { JobApi } from '../api/job-api.js';
import { type BuildRun, type BuiltFile, StepError } from '../steps/build-run.js';
import { machineSentence } from '../steps/machine-errors.js';
import type { JobFolderStore } from '../folders/job-folder-store.js';
import type { JobFolders } from '../folders/job-folders.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { PayloadSourceDto } from '../../native-builds/runner-builds/build-payload.dto.js';
import { JobControl, JobStop, type StopKind } from './job-control.js';
import { keepLease } from './lease-beats.js';
import { OpenLog, type LogProtocol } from './open-log.js';
import { type Outcome, reportOutcome } from './report-outcome.js';
import { stopsWithin } from './stops-within.js';
import { Activity, TimeLimit } from './time-limits.js';
import { uploadArtifact } from './upload-artifact.js';

/** How long a build may take to stop, in milliseconds. Afterwards the runner continues without it: it needs the slot. */
const STOP_WITHIN = 15_000;

/** What the server asks of runners. */
export type JobProtocol = Pick<RunnerSessionDto, 'beatSeconds'> & LogProtocol;

/** What a job needs. It knows no token but that of the job, and no session. */
export interface JobDeps {
  /** Of the API; its token is not used. */
  readonly client: ApiClient;
  readonly protocol: JobProtocol;
  readonly folders: Pick<JobFolderStore, 'make' | 'remove'>;
  readonly sandbox: Sandbox;
  readonly runDriver: (run: BuildRun) => Promise<readonly BuiltFile[]>;
  /** Aborted when the runner ends immediately: builds are killed and not reported. */
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
    return reportOutcome(this.api, this.claim.job.attempt, this.open, outcome);
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
      const masks = [...payload.masks, this.claim.jobToken];
      const { log } = (this.open = this.openLog(this.folders, masks, touch));
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
    const { protocol, onLog: onMasked } = this.deps;
    const { api, control } = this;
    return new OpenLog({ api, protocol, root, masks, signal: control.job, onOutput, onMasked });
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

  /** Without secrets. */
  masked(text: string): string {
    return this.open?.masked(text) ?? text;
  }

  /** Nothing of the job is left. */
  async clean(): Promise<void> {
    await this.endLease();
    await this.open?.close();
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

/**
 * Downloads the complete source of a job first, so that a broken connection can be repeated, and compares it with what
 * the payload says.
 *
 * @param onBytes with every chunk that arrives
 * @returns the bytes; the file is gone already
 * @throws StepError when they are not those of the payload
 */
async function openSource(
  api: JobApi,
  source: PayloadSourceDto,
  { root }: JobFolders,
  onBytes: () => void,
): Promise<Readable> {
  if (source.type !== 'archive') throw new Error('The source of this build is no archive.');
  const path = join(root, 'source.zip');
  await api.downloadSource(path, source.sizeInBytes, onBytes);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  const { size } = await stat(path);
  if (size !== source.sizeInBytes || hash.digest('hex') !== source.sha256) {
    throw new StepError('source', 'The source is damaged: it does not have the SHA-256 that the API says.');
  }
  const stream = createReadStream(path);
  await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject));
  await rm(path);
  return stream;
}
