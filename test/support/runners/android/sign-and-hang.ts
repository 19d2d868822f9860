import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PayloadCertificateDto } from '../../../../src/native-builds/runner-builds/build-payload.dto.js';
import type { SigningTools } from '../../../../src/runner/drivers/android/signing/signing-tools.js';
import type { SandboxOptions } from '../../../../src/runner/sandbox/sandbox-options.js';
import type { BuildRun } from '../../../../src/runner/steps/build-run.js';

/** What the program gets. */
export interface SignAndHang {
  /** `RUNNER_DIR/jobs`. */
  readonly dir: string;
  readonly hasSandbox: boolean;
  readonly options: SandboxOptions;
  readonly certificate: PayloadCertificateDto;
  readonly tools: SigningTools;
  /** Base64. */
  readonly apk: string;
}

/** A module of the runner, as it was built. */
function built<M>(path: string): Promise<M> {
  return import(
    pathToFileURL(join(import.meta.dirname, '../../../../dist/src/runner', path)).href
  ) as Promise<M>;
}

// Signs a package in the folders of a job, as a runner: a process of its own, so that a test can kill it.
const { signArtifact } = await built<
  typeof import('../../../../src/runner/drivers/android/signing/sign-artifact.js')
>('drivers/android/signing/sign-artifact.js');
const { JobFolderStore } = await built<typeof import('../../../../src/runner/folders/job-folder-store.js')>(
  'folders/job-folder-store.js',
);
const { BubblewrapSandbox } = await built<
  typeof import('../../../../src/runner/sandbox/bubblewrap/bubblewrap.js')
>('sandbox/bubblewrap/bubblewrap.js');
const { NoSandbox } = await built<typeof import('../../../../src/runner/sandbox/none.js')>('sandbox/none.js');

const { dir, hasSandbox, options, certificate, tools, apk } = JSON.parse(
  process.argv[2] ?? '',
) as SignAndHang;
const folders = await new JobFolderStore(dir, () => undefined).make('job', 1);
const sandbox = hasSandbox ? new BubblewrapSandbox(options) : new NoSandbox(options);
const path = join(folders.artifacts, 'app.apk');
writeFileSync(path, Buffer.from(apk, 'base64'));
const run = {
  folders,
  log: { write: () => undefined, line: () => undefined },
  signal: new AbortController().signal,
  openSigning: (programs: readonly string[]) => sandbox.openSigning(folders, programs),
} as unknown as BuildRun;
await signArtifact(run, { type: 'apk', path }, certificate, tools);
