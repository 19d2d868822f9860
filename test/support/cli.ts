import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testEnvironment } from '../setup/test-environment.js';
import { temporaryFolder } from './temporary-folders.js';

const modules = join(import.meta.dirname, '../../node_modules');
const entry = join(modules, '@capawesome/cli/dist/index.js');

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
  ) {}

  /**
   * @param token what `CAPAWESOME_TOKEN` holds; `null`: it is not set
   * @param origin the server to talk to
   */
  static async create(token: string | null, origin = testEnvironment().origin): Promise<Cli> {
    const [folder, home] = await Promise.all([temporaryFolder(), temporaryFolder()]);
    await writeFile(join(folder, '.capawesomerc'), `API_BASE_URL="${origin}"\n`);
    return new Cli(folder, home, token);
  }

  /** Writes a file below the working folder. */
  async write(path: string, content: string | Buffer): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Runs a command to its end, whatever that is. */
  async run(...args: string[]): Promise<CliResult> {
    const child = spawn(process.execPath, [entry, ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: this.home,
        // Plain output, no questions.
        CI: '1',
        CAPAWESOME_TELEMETRY_DISABLED: '1',
        // Most of the time of a command is spent on loading its modules.
        NODE_COMPILE_CACHE: join(modules, '.cache/capawesome-cli'),
        // Every command asks the package registry for a newer version of itself. The registry is the only host that
        // it reaches by https here, and with an unusable proxy for https it gives up before it has opened a socket.
        HTTPS_PROXY: 'none',
        ...(this.token === null ? {} : { CAPAWESOME_TOKEN: this.token }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ]);
    return { exitCode, stdout, stderr };
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
