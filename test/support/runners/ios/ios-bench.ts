import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NODE_COMPILE_CACHE } from '../../../setup/node-options.js';
import { temporaryFolder } from '../../processes/temporary-folders.js';
import { zipProject } from '../android/android-project.js';
import { archiveOf, type BenchBuild, payloadOf } from '../build-bench.js';
import type { IosBenchInput, IosBenchOutput } from './ios-bench-program.ts';
import { IosMachine } from './ios-machine.js';

const PROGRAM = join(import.meta.dirname, 'ios-bench-program.ts');
const RESULT = '\n\u0000result ';

/** What is built. */
export type IosBenchBuild = Omit<BenchBuild, 'source' | 'platform' | 'archive' | 'signal'>;

/** What became of it. */
export interface IosBenchResult extends IosBenchOutput {
  readonly log: string;
  /** Of the job. */
  readonly root: string;
}

/** A build that runs. */
export interface RunningIosBuild {
  readonly process: ChildProcess;
  /** What it has printed so far. */
  log(): string;
  readonly result: Promise<IosBenchResult>;
}

/** Makes iOS builds without an API on a stand-in for a Mac, each in a process of its own. */
export class IosBench {
  private constructor(
    readonly root: string,
    readonly machine: IosMachine,
  ) {}

  static async create(machine?: IosMachine): Promise<IosBench> {
    return new IosBench(await temporaryFolder(), machine ?? (await IosMachine.create()));
  }

  /** Builds to the end. */
  async build(files: Readonly<Record<string, string>>, build: IosBenchBuild = {}): Promise<IosBenchResult> {
    return (await this.start(files, build)).result;
  }

  async start(files: Readonly<Record<string, string>>, build: IosBenchBuild = {}): Promise<RunningIosBuild> {
    const source = await zipProject(files);
    const root = join(this.root, 'jobs', randomUUID());
    const at = (name: string): string => join(root, name);
    const folders = { repo: at('repo'), home: at('home'), cache: at('cache'), artifacts: at('artifacts') };
    await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
    const described: BenchBuild = { type: 'simulator', ...build, platform: 'ios', source };
    const input: IosBenchInput = {
      payload: payloadOf(described),
      folders: { root, ...folders },
      archive: at('source.zip'),
      options: {
        cacheDir: join(this.root, 'caches'),
        cacheMiB: 2048,
        nodeDir: null,
        nodeDownloads: false,
        storeDir: '/nonexistent',
        toolRegistry: 'http://127.0.0.1:9/',
        androidHome: null,
        jdkDir: null,
        xcodeDir: this.machine.xcodeDir,
        toolsDir: this.machine.toolsDir,
        signingDir: join(this.root, 'signing'),
        memoryMiB: 2048,
        gitSubmodules: false,
        gitLfs: null,
        ...build.options,
      },
    };
    await writeFile(input.archive, archiveOf(described));
    await writeFile(at('input.json'), JSON.stringify(input));
    return this.spawn(at('input.json'), root);
  }

  private spawn(input: string, root: string): RunningIosBuild {
    const child = spawn(process.execPath, [PROGRAM, input], {
      env: { PATH: process.env['PATH'], HOME: this.machine.home, NODE_COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    }
    const result = once(child, 'close').then(([code]: (number | null)[]) => {
      const [log = '', output] = text.split(RESULT);
      if (output === undefined) throw new Error(`The build ended with ${code}:\n${text}`);
      return { ...(JSON.parse(output) as IosBenchOutput), log, root };
    });
    // A test that kills the process does not wait for it.
    result.catch(() => undefined);
    return { process: child, log: () => text.split(RESULT)[0] ?? '', result };
  }
}
