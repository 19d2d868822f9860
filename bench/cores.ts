import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Whether processes can be tied to a core here: Linux with `taskset` (util-linux), and two cores at least. */
export const canPin =
  process.platform === 'linux' &&
  availableParallelism() > 1 &&
  spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

/** What a command is started with to stay on a core, from 0; nothing where that cannot be. */
export function onCore(core: number): readonly string[] {
  return canPin ? ['taskset', '-c', String(core)] : [];
}

/**
 * What a command is started with to have its core as soon as it wants it, whatever else runs there; nothing where that is
 * not allowed (`CAP_SYS_NICE`). For what measures times: they are not to be those of waiting for a core.
 */
export function ahead(): readonly string[] {
  const command = ['chrt', '--rr', '1'];
  return spawnSync('chrt', [...command.slice(1), 'true'], { stdio: 'ignore' }).status === 0 ? command : [];
}

/** Ties this process, and all that it starts from now on unless told otherwise, to a core; nothing where that cannot be. */
export function stayOnCore(core: number): void {
  if (canPin) execFileSync('taskset', ['-a', '-p', '-c', String(core), String(process.pid)]);
}
