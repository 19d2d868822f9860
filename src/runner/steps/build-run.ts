import type { Readable } from 'node:stream';
import type { BuildPayloadDto } from '../../native-builds/runner-builds/build-payload.dto.js';
import type {
  CreateRunnerArtifactDto,
  UpdateRunnerBuildDto,
} from '../../native-builds/runner-builds/runner-artifact.dto.js';
import type { JobFolders } from '../folders/job-folders.js';
import type { JobSandbox } from '../sandbox/sandbox.js';
import type { SigningSandbox } from '../sandbox/signing-sandbox.js';

/** The log of a build. Secrets are replaced before anything leaves the runner. */
export interface BuildLog {
  /** What a command printed. */
  write(chunk: Buffer): void;
  /** A line of the runner itself. */
  line(text: string): void;
}

/** One build, and what it works with. */
export interface BuildRun {
  readonly payload: BuildPayloadDto;
  readonly folders: JobFolders;
  readonly sandbox: JobSandbox;
  readonly log: BuildLog;
  /** Aborted when the job was canceled, lost or takes too long. */
  readonly signal: AbortSignal;
  /** Makes a place to sign in that has nothing of the build. To be closed. @param tools folders with the programs that sign */
  openSigning(tools: readonly string[]): Promise<SigningSandbox>;
  /** The source as the API sends it, if it is an archive. */
  openSource(): Promise<Readable>;
  /** Reports to the API what the build found out. */
  report(values: UpdateRunnerBuildDto): Promise<void>;
}

/** A variable that steers the runner itself. Secrets win. */
export function variableOf({ payload }: Pick<BuildRun, 'payload'>, name: string): string | undefined {
  return payload.secrets[name] ?? payload.environment[name];
}

/** Whether a variable is one of those with which the API says what is built. */
export function isFact(key: string): boolean {
  return key === 'CI' || key.startsWith('CI_');
}

/** A file that a build has made. Nothing changes it afterwards. */
export interface BuiltFile {
  readonly type: CreateRunnerArtifactDto['type'];
  /** Without folders. */
  readonly fileName: string;
  /** In the folder `artifacts` of the job. */
  readonly path: string;
}

/** The steps of a build, as failures name them. `native`: Gradle and what prepares it. */
export type BuildStep =
  'source' | 'configuration' | 'install' | 'build' | 'native' | 'output' | 'sign' | 'sandbox';

/** A step has failed: the build is to blame, not the runner. Its message is one sentence for people. */
export class StepError extends Error {
  readonly step: BuildStep;

  constructor(step: BuildStep, message: string) {
    super(message);
    this.step = step;
  }
}
