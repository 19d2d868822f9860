import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts a process that reads hostile files. It gets nothing of what the server knows.
 *
 * @param program the module that it runs
 * @param megabytes of its heap
 */
export function forkReader(program: URL, megabytes: number): ChildProcess {
  return fork(fileURLToPath(program), {
    serialization: 'advanced',
    env: {},
    execArgv: [`--max-old-space-size=${megabytes}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
