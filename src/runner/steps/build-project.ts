import { type BuildRun, type BuildStep, StepError } from './build-run.js';
import type { ChangeMark } from './change-mark.js';
import { limitMessage } from './limit-message.js';
import { explainClosed, OutputEnd } from './output-end.js';
import { programCommand } from './packages/managers.js';
import type { NodeVersion } from './tools/node-versions.js';
import type { ProjectConfig } from './project/project-config.js';
import type { ProjectFolder } from './project/project-folder.js';
import type { ProjectSource } from './source/project-source.js';

interface CommandOptions {
  /** Variables that those of the build win over. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Relative to the working copy; default: `baseDir`. */
  readonly cwd?: string;
}

interface ShellOptions extends CommandOptions {
  /** Default: the log shows it. */
  readonly onOutput?: (chunk: Buffer) => void;
}

interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A project that is built: its files, and how its commands run. */
export class BuildProject {
  constructor(
    readonly run: BuildRun,
    readonly files: ProjectFolder,
    readonly config: ProjectConfig,
    readonly node: NodeVersion,
    readonly source: ProjectSource,
    /** After the source was there, and before any command. */
    readonly startedAt: ChangeMark,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /**
   * Runs a command of the project by the shell.
   *
   * @returns the exit code
   * @throws StepError when a limit of the sandbox has ended it
   */
  shell(step: BuildStep, command: string, options: ShellOptions = {}): Promise<number> {
    const { env = {}, cwd = this.config.baseDir, onOutput } = options;
    return this.start(step, ['sh', '-c', command], cwd, { ...env, ...this.env }, onOutput);
  }

  /**
   * Runs a command by the shell that must succeed, and logs how long it took.
   *
   * @param title such as `Installing dependencies`
   * @throws StepError when it fails
   */
  execute(step: BuildStep, title: string, command: string, options: CommandOptions = {}): Promise<void> {
    return this.mustSucceed(step, title, inOneLine(command), (onOutput) =>
      this.shell(step, command, { ...options, onOutput }),
    );
  }

  /** The command that runs a program of an installed package, such as `cap sync`, in the folder of the app. */
  program(command: string): string {
    const { manager, hasPackage } = this.config;
    return programCommand(manager, command, hasPackage);
  }

  /**
   * Runs a program without a shell. As `execute`.
   *
   * @param options `cwd`: relative to the working copy; `env`: variables that win over those of the build
   */
  executeProgram(
    step: BuildStep,
    title: string,
    command: readonly [string, ...string[]],
    { cwd, env }: ProgramOptions,
  ): Promise<void> {
    return this.mustSucceed(step, title, inOneLine(command.join(' ')), (onOutput) =>
      this.start(step, command, cwd, { ...this.env, ...env }, onOutput),
    );
  }

  private async mustSucceed(
    step: BuildStep,
    title: string,
    shown: string,
    start: (onOutput: (chunk: Buffer) => void) => Promise<number>,
  ): Promise<void> {
    const { log } = this.run;
    log.line(`${title}: ${shown}`);
    const end = new OutputEnd();
    const onOutput = (chunk: Buffer): void => {
      log.write(chunk);
      end.add(chunk);
    };
    const exitCode = await timed(this.run, title, () => start(onOutput));
    if (exitCode === 0) return;
    await explainClosed(this.run, end.unreachableHosts());
    throw new StepError(step, `The command "${shown}" failed with exit code ${exitCode}.`);
  }

  private async start(
    step: BuildStep,
    command: readonly [string, ...string[]],
    cwd: string,
    env: Readonly<Record<string, string>>,
    onOutput = (chunk: Buffer): void => this.run.log.write(chunk),
  ): Promise<number> {
    const { sandbox, signal } = this.run;
    const { exitCode, limit } = await sandbox.run({ command, cwd, env, network: 'build', onOutput, signal });
    if (limit !== null) throw new StepError(step, limitMessage(limit));
    return exitCode;
  }
}

/** Logs how long something took, in seconds. */
export async function timed<R>(
  run: Pick<BuildRun, 'log'>,
  title: string,
  work: () => Promise<R>,
): Promise<R> {
  const start = performance.now();
  const result = await work();
  run.log.line(`${title} took ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

function inOneLine(command: string): string {
  const line = command.trim().replaceAll(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
