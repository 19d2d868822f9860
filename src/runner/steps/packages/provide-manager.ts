import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InnerFolders, JobFolders } from '../../folders/job-folders.js';
import { StepError } from '../build-run.js';
import type { ProjectEntry } from '../project/project-config.js';
import type { ToolStore } from '../tools/tool-store.js';
import { mentions } from './choose-manager.js';
import { describeManager, type PackageManager } from './managers.js';

/** In `HOME` of the build: the Yarn of the project as a program. */
const OWN_YARN = '.own-yarn';

/** A package manager as the commands of a build have it. */
export interface ProvidedManager {
  /** Runs scripts and programs of packages; also installs, if the project does not. */
  readonly manager: PackageManager;
  /** Its folder of programs, as the build sees it; `null`: that of Node.js. */
  readonly bin: string | null;
}

/** What a manager is provided from. */
export interface ProvideOptions {
  readonly folders: JobFolders;
  readonly inner: InnerFolders;
  readonly toolStore: ToolStore;
  readonly onNote: (note: string) => void;
}

/**
 * Makes the package manager of a project a program of its build. A project with an install command gets npm where it neither
 * declares nor calls another one, or where that cannot be had: its command may bring it.
 *
 * @throws StepError when it cannot be had
 */
export async function provideManager(
  manager: PackageManager,
  { installCommand, webBuildCommand }: ProjectEntry,
  options: ProvideOptions,
): Promise<ProvidedManager> {
  const { name, version, isDeclared, program, because, sha512 } = manager;
  const npm: PackageManager = { ...manager, name: 'npm', version: null, program: null };
  const commands = [installCommand, webBuildCommand].filter((command) => command !== null);
  const isCalled = installCommand === null || commands.some((command) => mentions(command, name));
  if (version === null || (!isDeclared && !isCalled)) return { manager: npm, bin: null };
  // What a command installs by other means, another package manager may not know.
  const used = isCalled ? manager : npm;
  try {
    if (program !== null) return { manager: used, bin: await writeYarn(program, options) };
    const { bin } = await options.toolStore.provide(
      name,
      version,
      because ?? 'the project',
      options.onNote,
      sha512,
    );
    return { manager: used, bin };
  } catch (error) {
    if (installCommand === null || !(error instanceof StepError)) throw error;
    options.onNote(error.message);
    return { manager: npm, bin: null };
  }
}

/** What the log says first about an installation, in one line each. @param chosen for the project */
export function describeInstallation(
  chosen: PackageManager,
  { bin }: ProvidedManager,
  { baseDir, installCommand }: ProjectEntry,
): string[] {
  const label = describeManager(chosen);
  if (installCommand !== null) {
    const isThere = bin === null ? '' : `, and has ${label}`;
    return [`"dependencyInstallCommand" of capawesome.config.json installs${isThere}`];
  }
  const { root, lock } = chosen;
  const where = root === baseDir ? '' : `, in ${root === '' ? 'the root of the repository' : root}`;
  const newest = 'There is no lock file, so the newest versions are installed that package.json allows';
  return [`Installing with ${label}${where}`, ...(lock === null ? [newest] : [])];
}

async function writeYarn(program: string, { folders, inner }: ProvideOptions): Promise<string> {
  const folder = join(folders.home, OWN_YARN);
  const file = join(folder, 'yarn');
  await mkdir(folder, { recursive: true });
  const path = `'${join(inner.repo, program).replaceAll("'", `'\\''`)}'`;
  await writeFile(file, `#!/bin/sh\nexec node ${path} "$@"\n`);
  await chmod(file, 0o755);
  return join(inner.home, OWN_YARN);
}
