import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { QUICK_MODULE_OPTIONS, QUICK_OPTIONS } from '../../setup/node-options.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { temporaryFolder } from './temporary-folders.js';

const modules = join(import.meta.dirname, '../../../node_modules');
const currentEntry = join(modules, '@capawesome/cli/dist/index.js');

/** Makes pipes look like a terminal. */
const terminal = join(import.meta.dirname, 'terminal.mjs');

/** How long a command may take to print what a test waits for, or to end. */
const TIMEOUT_MS = 20_000;

/** A command that asks questions. */
export interface TerminalSession {
  /** All that it has printed. */
  output(): string;
  /** Waits until it has printed something. @returns what the pattern has found */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Presses keys. */
  type(keys: string): void;
  /** Waits for the end. */
  end(): Promise<{ exitCode: number | null }>;
}

/** How a command ended. */
export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The official command-line tool as a process of its own, in a working folder and with a home of its own. */
export class Cli {
  private constructor(
    /** The folder that commands run in. */
    readonly folder: string,
    private readonly home: string,
    private readonly token: string | null,
    private readonly entry: string,
  ) {}

  /**
   * @param token what `CAPAWESOME_TOKEN` holds; `null`: it is not set
   * @param origin the server to talk to
   * @param entry the module that starts it, of another version than that of this repository
   */
  static async create(
    token: string | null,
    origin = testEnvironment().origin,
    entry = currentEntry,
  ): Promise<Cli> {
    const [folder, home] = await Promise.all([temporaryFolder(), temporaryFolder()]);
    await writeFile(
      join(folder, '.capawesomerc'),
      `API_BASE_URL="${origin}"\nCONSOLE_BASE_URL="${origin}"\n`,
    );
    return new Cli(folder, home, token, entry);
  }

  /** Writes a file below the working folder. */
  async write(path: string, content: string | Buffer): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Reads a file of the home folder: `.capawesome` or `keyring`. */
  readHome(name: string): Promise<string> {
    return readFile(join(this.home, name), 'utf8');
  }

  /** Runs a command to its end, whatever that is. */
  async run(...args: string[]): Promise<CliResult> {
    // Plain output, no questions.
    const child = this.spawn(args, { CI: '1' });
    child.stdin.end();
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ]);
    return { exitCode, stdout, stderr };
  }

  /** Runs a command that asks questions, in what it takes for a terminal. */
  inTerminal(...args: string[]): TerminalSession {
    const child = this.spawn(args, { TERM: 'xterm' });
    const exited = once(child, 'exit') as Promise<[number | null]>;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += stripVTControlCharacters(chunk.toString())));
    }
    const waitFor = async (pattern: RegExp): Promise<RegExpMatchArray> => {
      for (let waited = 0; waited < TIMEOUT_MS; waited += 50) {
        const found = output.match(pattern);
        if (found !== null) return found;
        await sleep(50);
      }
      child.kill();
      throw new Error(`It did not print ${String(pattern)}:\n${output}`);
    };
    return {
      output: () => output,
      waitFor,
      type: (keys) => void child.stdin.write(keys),
      end: async () => {
        // Unlike a terminal, an open pipe keeps a process alive.
        child.stdin.end();
        const late = setTimeout(() => child.kill(), TIMEOUT_MS);
        const [exitCode] = await exited;
        clearTimeout(late);
        return { exitCode };
      },
    };
  }

  private spawn(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): ChildProcessWithoutNullStreams {
    // What makes a start quicker knows one version only.
    const options = this.entry === currentEntry ? QUICK_MODULE_OPTIONS : QUICK_OPTIONS;
    return spawn(process.execPath, [...options, '--import', terminal, this.entry, ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: this.home,
        CAPAWESOME_TELEMETRY_DISABLED: '1',
        // Most of the time of a command is spent on loading its modules.
        NODE_COMPILE_CACHE: join(modules, '.cache/capawesome-cli'),
        // Every command asks the package registry for a newer version of itself. The registry is the only host that
        // it reaches by https here, and with an unusable proxy for https it gives up before it has opened a socket.
        HTTPS_PROXY: 'none',
        ...(this.token === null ? {} : { CAPAWESOME_TOKEN: this.token }),
        ...env,
      },
    });
  }

  /** Runs a command that must succeed. @returns what it printed */
  async succeed(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(...args);
    if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}:\n${stdout}\n${stderr}`);
    return stdout;
  }

  /** Runs a command with `--json` that must succeed. @returns the JSON, which may follow other lines */
  async json<T>(...args: string[]): Promise<T> {
    const lines = (await this.succeed(...args, '--json')).split('\n');
    const start = lines.findLastIndex((line) => /^[[{]$|^\[\]$/.test(line));
    return JSON.parse(lines.slice(start).join('\n')) as T;
  }
}
