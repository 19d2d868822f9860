import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlainSigning } from './plain-signing.js';
import { runAlone } from './run-alone.js';
import type { JobFolders } from '../folders/job-folders.js';
import type { JobSandbox, Sandbox } from './sandbox.js';
import type { SandboxOptions } from './sandbox-options.js';
import type { SigningSandbox } from './signing-sandbox.js';

const NOTES = [
  'WARNING: This runner has no sandbox. The build can read and change everything that the user of the runner can: other builds, the token of the runner, private networks.',
  'It runs because the operator trusts all repositories (--trust-repositories). Memory, processes and disk are not limited.',
];

/** No sandbox: builds are ordinary processes of the runner's user. Only for repositories that the operator trusts. */
export class NoSandbox implements Sandbox {
  readonly name = 'none';
  readonly isSafe = false;

  private readonly options: Pick<SandboxOptions, 'npmRegistry' | 'memoryMiB'>;

  constructor(options: Pick<SandboxOptions, 'npmRegistry' | 'memoryMiB'>) {
    this.options = options;
  }

  async open(folders: JobFolders): Promise<JobSandbox> {
    const temporary = join(folders.root, 'tmp');
    await mkdir(temporary, { recursive: true });
    return {
      inner: folders,
      npmRegistry: this.options.npmRegistry,
      notes: NOTES,
      run: (command) => runAlone(folders, temporary, command),
      findClosed: () => Promise.resolve([]),
    };
  }

  openSigning(folders: JobFolders): Promise<SigningSandbox> {
    return openPlainSigning(folders, { memoryMiB: this.options.memoryMiB, keysDir: null });
  }
}
