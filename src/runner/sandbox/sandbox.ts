import type { CommandEnd } from './command-end.js';
import type { InnerFolders, JobFolders } from '../folders/job-folders.js';
import type { SigningSandbox } from './signing-sandbox.js';

export type { CommandEnd, SandboxLimit } from './command-end.js';

export interface BuildCommand {
  /** The program, which is looked up in `PATH`, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Where it runs, relative to the working copy; `''` is its root. Never leaves it. */
  readonly cwd: string;
  /** The environment of the command. The sandbox adds `PATH`, `HOME`, `TMPDIR`, `USER` and `LANG` where they are absent. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * `build`: without private networks, metadata and the machine itself, besides what the operator allows. `fetch`: as the
   * runner itself, for git and nothing that a repository says.
   */
  readonly network: 'build' | 'fetch';
  /** With `build`: a server that this command reaches besides, on its port only. Not on the loopback of the machine. */
  readonly opens?: URL;
  /** What it prints, both streams in order. */
  readonly onOutput: (chunk: Buffer) => void;
  /** Ends all processes of the command immediately. */
  readonly signal: AbortSignal;
}

/** Where the commands of one job run. */
export interface JobSandbox {
  readonly inner: InnerFolders;
  /** The npm registry that the operator has set for builds; `null`: none, or builds cannot reach it. */
  readonly npmRegistry: string | null;
  /** What the log says first: what keeps the build apart, and which limits this machine does not have. One line each. */
  readonly notes: readonly string[];
  /**
   * Runs one command, with lower priority than the runner. When it has ended, all that it started is dead.
   *
   * @throws the reason of the signal, after everything is dead
   */
  run(command: BuildCommand): Promise<CommandEnd>;
  /**
   * Which of the hosts are closed to builds, and could be opened. Their names are resolved.
   *
   * @param hosts names and IPv4 addresses
   * @returns names, and addresses without a name; empty: none, or it is not known
   */
  findClosed(hosts: readonly string[]): Promise<readonly string[]>;
}

/** A way to keep builds apart from the machine and from each other. */
export interface Sandbox {
  /** For people: `bubblewrap`, `none` or `pod`. */
  readonly name: string;
  /** Whether it may run what any repository says. */
  readonly isSafe: boolean;
  open(folders: JobFolders): Promise<JobSandbox>;
  /**
   * Makes a place where the runner signs, apart from the build: it has nothing of the build and no network, as far as this
   * kind of sandbox can do that. No command of the build may run at the same time.
   *
   * @param tools absolute paths of the folders with the programs that sign
   */
  openSigning(folders: JobFolders, tools: readonly string[]): Promise<SigningSandbox>;
}
