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
 * Prefix of a command that gets its core as soon as it wants it, whatever else runs there; empty where that is not allowed
 * (`CAP_SYS_NICE`). For programs that measure times.
 */
export function ahead(): readonly string[] {
  const command = ['chrt', '--rr', '1'];
  return spawnSync('chrt', [...command.slice(1), 'true'], { stdio: 'ignore' }).status === 0 ? command : [];
}

/** Ties this process, and by default all that it starts from now on, to a core; does nothing where that is impossible. */
export function stayOnCore(core: number): void {
  if (canPin) execFileSync('taskset', ['-a', '-p', '-c', String(core), String(process.pid)]);
}
