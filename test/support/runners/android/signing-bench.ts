import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import type { PayloadCertificateDto } from '../../../../src/native-builds/runner-builds/build-payload.dto.js';
import { signArtifact } from '../../../../src/runner/drivers/android/signing/sign-artifact.js';
import type { SigningTools } from '../../../../src/runner/drivers/android/signing/signing-tools.js';
import { removeFolder } from '../../../../src/runner/folders/remove-folder.js';
import { BubblewrapSandbox } from '../../../../src/runner/sandbox/bubblewrap/bubblewrap.js';
import type { JobFolders } from '../../../../src/runner/folders/job-folders.js';
import type { Sandbox } from '../../../../src/runner/sandbox/sandbox.js';
import type { BuildRun } from '../../../../src/runner/steps/build-run.js';
import { findBuildTools } from '../../../../src/runner/steps/tools/android-sdk.js';
import { findJdks } from '../../../../src/runner/steps/tools/jdks.js';
import { makeFolders, options } from '../sandbox/jobs.js';

/** What is signed, and how. */
export interface SigningTry {
  readonly type: 'apk' | 'aab';
  readonly bytes: Buffer;
  readonly certificate: PayloadCertificateDto;
  readonly tools?: Partial<SigningTools>;
  readonly signal?: AbortSignal;
}

/** What became of it. */
export interface SigningResult {
  /** The package afterwards. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly error: unknown;
  readonly log: string;
}

/** Signs packages as drivers do, in the folders of one job. */
export class SigningBench {
  readonly folders: JobFolders = makeFolders(tmpdir());
  private count = 0;

  /** @param sandbox default: the sandbox of Linux */
  constructor(private readonly sandbox: Sandbox = new BubblewrapSandbox({ ...options, memoryMiB: 1024 })) {}

  async sign({ type, bytes, certificate, tools, signal }: SigningTry): Promise<SigningResult> {
    const path = join(this.folders.artifacts, `app-${++this.count}.${type}`);
    writeFileSync(path, bytes);
    let log = '';
    const run = {
      folders: this.folders,
      log: {
        write: (chunk: Buffer) => void (log += chunk.toString()),
        line: (text: string) => void (log += `${text}\n`),
      },
      signal: signal ?? new AbortController().signal,
      openSigning: (folders: readonly string[]) => this.sandbox.openSigning(this.folders, folders),
    } as BuildRun;
    const error: unknown = await signArtifact(run, { type, path }, certificate, {
      ...(await machineTools()),
      ...tools,
    }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return { path, bytes: readFileSync(path), error, log };
  }

  remove(): Promise<void> {
    return removeFolder(this.folders.root);
  }
}

/** The tools of this machine. */
export async function machineTools(): Promise<SigningTools> {
  const [jdk] = await findJdks(null);
  if (jdk === undefined) throw new Error('This machine has no JDK.');
  return { jdk, buildTools: await findBuildTools(null) };
}

/** What `apksigner verify` says about an APK. */
export function verifyApk(path: string): string {
  return execFileSync('apksigner', ['verify', '--verbose', '--print-certs', path], { encoding: 'utf8' });
}

/** What keytool says about the signers of an app bundle. */
export function signersOf(path: string): string {
  return execFileSync('keytool', ['-printcert', '-jarfile', path], { encoding: 'utf8' });
}
