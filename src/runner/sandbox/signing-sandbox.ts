import type { CommandEnd } from './command-end.js';

/** A command that handles a key, or what was signed with it. */
export interface SigningCommand {
  /** The program, with an absolute path or looked up in `PATH`, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Nothing of the environment of the build or of the runner is added, besides `PATH`, `HOME`, `TMPDIR`, `USER` and `LANG`. */
  readonly env: Readonly<Record<string, string>>;
  /** Files with keys, by name: only this command sees them, in the folder `keys`. They are gone when it has ended. */
  readonly keys: Readonly<Record<string, Uint8Array>>;
  /** What it prints, both streams in order. */
  readonly onOutput: (chunk: Buffer) => void;
  /** Ends all processes of the command immediately. */
  readonly signal: AbortSignal;
}

/** Where the runner signs what a build has made. Its commands run in `inner.folder`. */
export interface SigningSandbox {
  /** The folder of the package, as the runner sees it. Nothing of the build is in it. */
  readonly folder: string;
  /** As its commands see it. */
  readonly inner: {
    readonly folder: string;
    readonly keys: string;
  };
  /** Memory of one command, in MiB. */
  readonly memoryMiB: number;
  /**
   * Runs one command. When it has ended, all that it started is dead.
   *
   * @throws the reason of the signal, after everything is dead
   */
  run(command: SigningCommand): Promise<CommandEnd>;
  /** Removes everything. */
  close(): Promise<void>;
}
