import type { ToolName } from '../tools/tool-store.js';

/** What installs the packages of a project, and runs its scripts. */
export interface PackageManager {
  readonly name: ToolName;
  /** Exact, such as `10.28.1`; `null`: npm as Node.js brings it. */
  readonly version: string | null;
  /** What of the project asks for it, such as `"packageManager" of package.json` or `pnpm-lock.yaml`; `null`: nothing does. */
  readonly because: string | null;
  /** The project names it, and does not only have its lock file. */
  readonly isDeclared: boolean;
  /** Where packages are installed, relative to the working copy, without links; `''`: its root. */
  readonly root: string;
  /** Its lock file, relative to the working copy; `null`: there is none. */
  readonly lock: string | null;
  /** Yarn as the project has committed it, relative to the working copy. */
  readonly program: string | null;
  /** What the project expects of the package with the manager, in hexadecimal; `null`: nothing that can be compared. */
  readonly sha512: string | null;
}

/** Yarn from version 2 on has other options and settings than Yarn 1. */
export function isBerry({ name, version }: PackageManager): boolean {
  return name === 'yarn' && !(version ?? '').startsWith('1.');
}

/** The command that installs what the lock file names. Only npm may change it: `npm ci` would delete `node_modules` first. */
export function installCommandOf(manager: PackageManager): string {
  const isFrozen = manager.lock !== null;
  switch (manager.name) {
    case 'npm':
      return 'npm install';
    case 'pnpm':
      return `pnpm install --${isFrozen ? '' : 'no-'}frozen-lockfile`;
    case 'yarn':
      if (isBerry(manager)) return `yarn install --${isFrozen ? '' : 'no-'}immutable`;
      return `yarn install --non-interactive${isFrozen ? ' --frozen-lockfile' : ''}`;
    case 'bun':
      // Links would let a build change what is cached.
      return `bun install --backend=copyfile${isFrozen ? ' --frozen-lockfile' : ''}`;
  }
}

/** The command that runs a script of package.json. */
export function scriptCommand({ name }: PackageManager, script: string): string {
  return `${name} run ${script}`;
}

/**
 * The command that runs a program of an installed package. Nothing is installed for it.
 *
 * @param hasPackage the folder where it runs has a package.json, without which pnpm does not look above it
 */
export function programCommand({ name }: PackageManager, command: string, hasPackage: boolean): string {
  if (name === 'yarn') return `yarn run ${command}`;
  return name === 'pnpm' && hasPackage ? `pnpm exec ${command}` : `npx --no -- ${command}`;
}

/** For the log, such as `pnpm 10.28.1, because of pnpm-lock.yaml`. */
export function describeManager({ name, version, because, program }: PackageManager): string {
  const label = version === null ? `the ${name} of Node.js` : `${name} ${version}`;
  const reason = because === null ? 'the project names no package manager' : `of ${because}`;
  return `${program ?? label}, because ${reason}`;
}
