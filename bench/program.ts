import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A server of a benchmark in a process of its own, to compare with. */
export interface Program {
  readonly origin: string;
  readonly pid: number;
  stop(): void;
}

/**
 * @param file below `bench`; it sends its address when it listens
 * @param settings its argument
 * @param under what it is started with, such as `onCore(0)`
 * @throws Error when it ends before
 */
export async function startProgram(
  file: string,
  settings: object,
  under: readonly string[],
): Promise<Program> {
  const [command = process.execPath, ...args] = [
    ...under,
    process.execPath,
    join(import.meta.dirname, file),
    JSON.stringify(settings),
  ];
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    child.once('message', (message) => resolve(message as unknown as AddressInfo));
    child.once('exit', (code) => reject(new Error(`${file} has ended with ${code}.`)));
  });
  return {
    origin: `http://127.0.0.1:${address.port}`,
    pid: child.pid ?? 0,
    stop: () => child.kill(),
  };
}
