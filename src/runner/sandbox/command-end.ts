/**
 * A limit that ended a command; `open-files`: it opened too many files; `hidden`: it kept the runner from seeing which
 * files it has open; `stopped`: it stopped the first process of its sandbox; `all-stopped`: all others.
 */
export type SandboxLimit =
  'memory' | 'processes' | 'disk' | 'open-files' | 'hidden' | 'stopped' | 'all-stopped';

/** How a command ended: none of its processes is left. */
export interface CommandEnd {
  /** 128 and the number of the signal, if one ended it. */
  readonly exitCode: number;
  /** The limit of the sandbox that was reached; `null`: none. */
  readonly limit: SandboxLimit | null;
}
