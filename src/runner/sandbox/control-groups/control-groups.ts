import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, ownIdentity } from '../../folders/process-identity.js';
import { kernelGroupFiles } from './group-files.js';
import { AGENT_GROUP, ENABLE, findOwnGroup, type GroupPlace, type OwnGroup } from './own-group.js';

/** `job-<process id of the runner>-<when it started>-<any>` */
const JOB_GROUP = /^job-(\d+)-(\d+)-/;
/** How long the processes of a group may take to die, in milliseconds, and how often the runner looks. */
const DEAD_WITHIN = 10_000;
const LOOK = 10;

/** What the kernel lets one command have. */
export interface GroupLimits {
  /** In bytes: of processes, files in memory, and the kernel for them. Files that it caches make room. */
  readonly memory: number;
  /** Processes and threads, with the few that make the sandbox. */
  readonly tasks: number;
}

export interface CommandGroup {
  /** A process that writes its number to this file is in the group, and so is all that it starts. */
  readonly procs: string;
  /** Whether the kernel has ended its processes, because they used too much memory. */
  wasOutOfMemory(): Promise<boolean>;
  /** Kills what is in it and removes it. What cannot be removed is left to the next start of a runner. */
  remove(): Promise<void>;
}

/** Where the groups of this machine are. */
export function machineGroups(): GroupPlace {
  return {
    files: kernelGroupFiles,
    root: '/sys/fs/cgroup',
    membership: '/proc/self/cgroup',
    pid: process.pid,
    isRoot: process.getuid?.() === 0,
  };
}

/** Gives each command a control group below that of the runner. */
export class ControlGroups {
  private readonly place: GroupPlace;
  private readonly path: string;

  private constructor(place: GroupPlace, path: string) {
    this.place = place;
    this.path = path;
  }

  /**
   * Moves this process into its own group below that which was delegated to it, and removes what runners have left
   * that were killed.
   *
   * @returns why it cannot, if it cannot
   */
  static async enter(place: GroupPlace): Promise<ControlGroups | Exclude<OwnGroup, { path: string }>> {
    const { files, pid } = place;
    const own = await findOwnGroup(place);
    if ('reason' in own) return own;
    try {
      const agent = join(own.path, AGENT_GROUP);
      await files.make(agent).catch(ignoreExisting);
      await files.write(join(agent, 'cgroup.procs'), String(pid));
      await files.write(join(own.path, 'cgroup.subtree_control'), ENABLE);
    } catch (error) {
      return { reason: `the control group of the runner cannot be divided (${(error as Error).message})` };
    }
    const groups = new ControlGroups(place, own.path);
    await groups.sweep();
    return groups;
  }

  /** Makes a group with limits. @throws Error if it cannot be made: then no command may run */
  async open({ memory, tasks }: GroupLimits): Promise<CommandGroup> {
    const { files } = this.place;
    const { pid, started } = ownIdentity();
    const path = join(this.path, `job-${pid}-${started}-${randomUUID()}`);
    const set = (file: string, value: number): Promise<void> => files.write(join(path, file), String(value));
    await files.make(path);
    try {
      await set('memory.max', memory);
      // Not on a machine without swap.
      await set('memory.swap.max', 0).catch(() => undefined);
      // All or nothing: a build that continues without one of its processes fails with a message that helps no one.
      await set('memory.oom.group', 1);
      await set('pids.max', tasks);
    } catch (error) {
      await this.remove(path);
      throw error;
    }
    return {
      procs: join(path, 'cgroup.procs'),
      wasOutOfMemory: async () => {
        const events = await files.read(join(path, 'memory.events')).catch(() => '');
        return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0) > 0;
      },
      remove: () => this.remove(path),
    };
  }

  /** Removes the groups of runners that have ended. */
  private async sweep(): Promise<void> {
    for (const name of await this.place.files.list(this.path)) {
      const [, pid, started = ''] = JOB_GROUP.exec(name) ?? [];
      if (pid === undefined) continue;
      // The group is that of one service or container, where a number means the same.
      const owner = { ...ownIdentity(), pid: Number(pid), started };
      if (isAlive(owner) === false) await this.remove(join(this.path, name));
    }
  }

  private async remove(path: string): Promise<void> {
    const { files } = this.place;
    const until = Date.now() + DEAD_WITHIN;
    await files.write(join(path, 'cgroup.kill'), '1').catch(() => undefined);
    for (;;) {
      const isGone = await files.remove(path).then(
        () => true,
        // Its processes are dying.
        ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
      );
      if (isGone || Date.now() > until) return;
      await sleep(LOOK);
    }
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
