import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { NODE_COMPILE_CACHE, QUICK_OPTIONS } from '../../setup/node-options.js';
import { storageEnv } from '../../setup/object-storage.js';
import { ENCRYPTION_KEY } from '../../setup/server.js';

const main = join(import.meta.dirname, '../../../dist/slipway.js');

/** What a program works on. */
export interface Place {
  readonly databaseUrl: string;
  readonly dataDir?: string;
}

/** How a program is started, where it is not the usual. */
export interface ProgramOptions {
  readonly args?: readonly string[];
  /** Variables besides those of the place. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads from its standard input. */
  readonly input?: string;
}

/** How a program ended. */
export interface ProgramResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Starts `slipway <name>`. @param name of the command, such as `storage clean` */
export function startProgram(
  name: string,
  { databaseUrl, dataDir }: Place,
  { args = [], env = {} }: ProgramOptions = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...QUICK_OPTIONS, main, ...name.split(' '), ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE,
      ENCRYPTION_KEY,
      DATABASE_URL: databaseUrl,
      ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
      ...storageEnv(dataDir),
      ...env,
    },
  });
}

/** Runs a program to its end, whatever that is. */
export async function runProgram(
  name: string,
  place: Place,
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const child = startProgram(name, place, options);
  // It may end without reading.
  child.stdin.on('error', () => undefined).end(options.input);
  const exited = once(child, 'exit') as Promise<[number]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, out, err };
}

/** Runs a program that must succeed. @returns the lines that it prints @throws Error with what it says otherwise */
export async function linesOfProgram(
  name: string,
  place: Place,
  options: ProgramOptions = {},
): Promise<string[]> {
  const { code, out, err } = await runProgram(name, place, options);
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${out}${err}`);
  return out.trim().split('\n');
}
