/** What the operator has set for all sandboxes of a runner. */
export interface SandboxOptions {
  /** Builds may run without a sandbox where there is none. */
  readonly trustRepositories: boolean;
  /** Networks, addresses and host names that builds may reach although they are private. */
  readonly allow: readonly string[];
  /** The npm registry of builds, as `registryUrlOf` returns it; `null`: the one of the project, or the default of npm. */
  readonly npmRegistry: string | null;
  /** Memory of all processes of one command, in MiB. */
  readonly memoryMiB: number;
  /** Processes and threads of one command. */
  readonly processes: number;
  /** Disk space of the folders of one job, in MiB. */
  readonly diskMiB: number;
  /** Further folders of the machine that builds may read, such as Node.js and SDKs. */
  readonly readOnly: readonly string[];
  /** The address of Slipway. The self-check proves that builds do not reach it, if it is private. */
  readonly apiUrl: string;
}

/** There is no sandbox on this machine, and repositories are not trusted. The message says what to do. */
export class NoSandboxError extends Error {}

/** A setting of the sandbox is wrong. */
export class SandboxSettingError extends Error {}
