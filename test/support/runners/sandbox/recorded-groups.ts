import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { GroupFiles } from '../../../../src/runner/sandbox/control-groups/group-files.js';
import type { GroupPlace } from '../../../../src/runner/sandbox/control-groups/own-group.js';

/** The files of a group of Linux 6.1 that matter here, and what they say at first. */
const EVERY_GROUP = {
  'cgroup.type': 'domain\n',
  'cgroup.procs': '',
  'cgroup.kill': '',
  'cgroup.events': 'populated 0\nfrozen 0\n',
  'cgroup.subtree_control': '\n',
};
const MEMORY = {
  'memory.max': 'max\n',
  'memory.swap.max': 'max\n',
  'memory.oom.group': '0\n',
  'memory.events': 'low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n',
};
const PIDS = { 'pids.max': 'max\n', 'pids.current': '0\n' };

/** Control groups as a folder: what the kernel would do with them, as far as the runner relies on it. */
export class RecordedGroups implements GroupFiles {
  /** As `/sys/fs/cgroup`. */
  readonly root = mkdtempSync(join(tmpdir(), 'cgroup-'));
  /** That of the service of the runner. */
  readonly service = join(this.root, 'system.slice/slipway-runner.service');
  /** Every change, as `group/file=value`, with groups below the service by their name and others without. */
  readonly writes: string[] = [];
  /** Paths that this user may not write. */
  readonly protectedPaths = new Set<string>();
  /** Counts of `memory.events` of new groups. */
  memoryEvents: string = MEMORY['memory.events'];

  constructor(controllers = 'cpu memory pids') {
    mkdirSync(this.service, { recursive: true });
    this.fill(this.service, {
      ...EVERY_GROUP,
      ...MEMORY,
      ...PIDS,
      'cgroup.controllers': `${controllers}\n`,
      'cgroup.procs': `${process.pid}\n`,
    });
    writeFileSync(join(this.root, 'membership'), '0::/system.slice/slipway-runner.service\n');
  }

  /** As a process of an ordinary user in the service. */
  place(changes: Partial<GroupPlace> = {}): GroupPlace {
    const membership = join(this.root, 'membership');
    return { files: this, root: this.root, membership, pid: process.pid, isRoot: false, ...changes };
  }

  /** The groups below the service, by name. */
  names(): string[] {
    return readdirSync(this.service, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  }

  text(path: string): string {
    return readFileSync(join(this.service, path), 'utf8').trim();
  }

  async read(path: string): Promise<string> {
    return readFileSync(path, 'utf8');
  }

  async write(path: string, text: string): Promise<void> {
    const [group, file] = [dirname(path), basename(path)];
    statSync(path);
    if (this.protectedPaths.has(path)) throw failure('EACCES');
    if (file === 'cgroup.subtree_control' && processesOf(group).length > 0) throw failure('EBUSY');
    this.writes.push(`${group === this.service ? '' : `${basename(group)}/`}${file}=${text}`);
    if (file === 'cgroup.kill') for (const pid of processesOf(group)) process.kill(pid, 'SIGKILL');
    else writeFileSync(path, `${text}\n`);
    if (file !== 'cgroup.procs') return;
    for (const other of [this.service, ...this.names().map((name) => join(this.service, name))]) {
      if (other !== group && readFileSync(join(other, file), 'utf8').trim() === text)
        writeFileSync(join(other, file), '');
    }
  }

  async isWritable(path: string): Promise<boolean> {
    return !this.protectedPaths.has(path);
  }

  async list(group: string): Promise<string[]> {
    return readdirSync(group);
  }

  async make(group: string): Promise<void> {
    mkdirSync(group);
    const enabled = this.text('cgroup.subtree_control');
    const files = { ...MEMORY, 'memory.events': this.memoryEvents };
    this.fill(group, {
      ...EVERY_GROUP,
      ...(enabled.includes('memory') ? files : {}),
      ...(enabled.includes('pids') ? PIDS : {}),
    });
  }

  async remove(group: string): Promise<void> {
    if (processesOf(group).length > 0) throw failure('EBUSY');
    rmSync(group, { recursive: true });
  }

  delete(): void {
    rmSync(this.root, { recursive: true });
  }

  private fill(group: string, files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(group, name), text);
  }
}

/** Those that live: the kernel removes the others from the list. */
function processesOf(group: string): number[] {
  return readFileSync(join(group, 'cgroup.procs'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return !/\) [ZX] /.test(stat);
      } catch {
        return false;
      }
    });
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });
