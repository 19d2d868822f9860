import { basename, dirname, join } from 'node:path';
import type { GroupFiles } from './group-files.js';

/** The group of the runner itself, below its own: a group with processes cannot limit others below it. */
export const AGENT_GROUP = 'agent';
const CONTROLLERS = ['memory', 'pids'];

/** Where this process finds control groups. */
export interface GroupPlace {
  readonly files: GroupFiles;
  /** Where they are mounted, usually `/sys/fs/cgroup`. */
  readonly root: string;
  /** The file that says in which group this process is, usually `/proc/self/cgroup`. */
  readonly membership: string;
  /** This process. */
  readonly pid: number;
  /** Root may write every group of the machine, which does not make it the runner's. */
  readonly isRoot: boolean;
}

/** The group that the runner may divide, or why it has none: half a sentence. */
export type OwnGroup = { readonly path: string } | { readonly reason: string };

/** Finds the group that was delegated to this process, such as with `Delegate=yes` of systemd. Changes nothing. */
export async function findOwnGroup({ files, root, membership, pid, isRoot }: GroupPlace): Promise<OwnGroup> {
  const read = (path: string): Promise<string> => files.read(path).catch(() => '');
  const name = /^0::(\/.*)$/m.exec(await read(membership))?.[1];
  const controllers = name === undefined ? '' : await read(join(root, name, 'cgroup.controllers'));
  if (name === undefined || controllers === '') {
    return { reason: 'this machine has no control groups (version 2) with limits of memory and processes' };
  }
  if (isRoot) return { reason: 'the runner runs as root, which may change every control group' };
  const path = join(root, basename(name) === AGENT_GROUP ? dirname(name) : name);
  const missing = CONTROLLERS.filter((controller) => !controllersOf(controllers).includes(controller));
  if (path === join(root, name) && missing.length > 0) {
    return { reason: `the control group of the runner has no limits of ${missing.join(' and ')}` };
  }
  const needed = [path, join(path, 'cgroup.procs'), join(path, 'cgroup.subtree_control')];
  const writable = await Promise.all(needed.map((file) => files.isWritable(file)));
  if (writable.includes(false)) return { reason: 'the control group of the runner is not delegated to it' };
  if ((await read(join(path, 'cgroup.type'))).trim() !== 'domain') {
    return { reason: 'the runner is in the root of all control groups, or in a threaded one' };
  }
  const others = (await read(join(path, 'cgroup.procs'))).split('\n').filter((line) => line !== '');
  if (others.some((other) => other !== String(pid))) {
    return { reason: 'other programs are in the control group of the runner' };
  }
  if (!(await files.list(path)).includes('cgroup.kill')) {
    return { reason: 'control groups can be ended since Linux 5.14' };
  }
  return { path };
}

/** What the group of the runner must let it limit, as the kernel takes it. */
export const ENABLE = CONTROLLERS.map((controller) => `+${controller}`).join(' ');

const controllersOf = (text: string): string[] => text.trim().split(' ');
