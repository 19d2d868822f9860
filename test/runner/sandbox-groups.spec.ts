import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import { ownIdentity } from '../../src/runner/folders/process-identity.js';
import { BubblewrapSandbox } from '../../src/runner/sandbox/bubblewrap/bubblewrap.js';
import { ControlGroups } from '../../src/runner/sandbox/control-groups/control-groups.js';
import { findOwnGroup } from '../../src/runner/sandbox/control-groups/own-group.js';
import { limitsCheck } from '../../src/runner/sandbox/find-sandbox.js';
import { describeSandbox, openJob, options } from '../support/runners/sandbox/jobs.js';
import { RecordedGroups } from '../support/runners/sandbox/recorded-groups.js';

const MIB = 1024 ** 2;
let recorded: RecordedGroups;

beforeEach(() => {
  recorded = new RecordedGroups();
});
afterEach(() => recorded.delete());

async function enter(): Promise<ControlGroups> {
  const groups = await ControlGroups.enter(recorded.place());
  if (!(groups instanceof ControlGroups)) throw new Error(groups.reason);
  return groups;
}

describe('the control groups of a runner', () => {
  it('are below the one that was delegated, in which no process is left', async () => {
    await enter();
    expect(recorded.writes).toEqual([
      `agent/cgroup.procs=${process.pid}`,
      'cgroup.subtree_control=+memory +pids',
    ]);
    expect(recorded.text('cgroup.procs')).toBe('');
  });

  it('are found again by a runner that begins in its own one', async () => {
    await enter();
    writeFileSync(join(recorded.root, 'membership'), '0::/system.slice/slipway-runner.service/agent\n');
    writeFileSync(join(recorded.service, 'agent/cgroup.controllers'), 'memory pids\n');
    await enter();
    expect(recorded.names()).toEqual(['agent']);
  });

  it.each([
    ['a machine of version 1', () => writeMembership('5:memory:/\n'), 'no control groups (version 2)'],
    [
      'a machine with both versions',
      () => writeMembership('5:memory:/\n0::/elsewhere\n'),
      'no control groups (version 2)',
    ],
    ['a group without all controllers', () => set('cgroup.controllers', 'cpu pids\n'), 'no limits of memory'],
    ['a group of others', () => recorded.protectedPaths.add(recorded.service), 'not delegated'],
    [
      'a group of which only the processes are its own',
      () => recorded.protectedPaths.add(join(recorded.service, 'cgroup.subtree_control')),
      'not delegated',
    ],
    ['the root of all groups', () => set('cgroup.type', ''), 'the root'],
    [
      'a group that it shares with others',
      () => set('cgroup.procs', `1\n${process.pid}\n`),
      'other programs',
    ],
  ])('do not exist on or in %s, which the doctor says', async (_title, change, reason) => {
    change();
    await expect(ControlGroups.enter(recorded.place())).resolves.toEqual({
      reason: expect.stringContaining(reason),
    });
    expect(recorded.writes).toEqual([]);
    expect(limitsCheck(await findOwnGroup(recorded.place()))).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/^The runner watches the limits of builds.*Delegate=yes\.$/),
    });
  });

  it('do not exist for root, which may write every group', async () => {
    const place = recorded.place({ isRoot: true });
    await expect(ControlGroups.enter(place)).resolves.toEqual({ reason: expect.stringContaining('root') });
  });

  it('do not exist if the kernel refuses them', async () => {
    recorded.protectedPaths.add(join(recorded.service, 'agent/cgroup.procs'));
    await expect(ControlGroups.enter(recorded.place())).resolves.toEqual({
      reason: 'the control group of the runner cannot be divided (EACCES)',
    });
  });

  it('are named by the doctor, which changes nothing', async () => {
    expect(limitsCheck(await findOwnGroup(recorded.place()))).toMatchObject({
      status: 'ok',
      message: expect.stringContaining(recorded.service),
    });
    expect(recorded.writes).toEqual([]);
  });

  it('are removed at the next start, with their processes, if their runner was killed', async () => {
    await enter();
    const child = spawn('sleep', ['100']);
    const { started } = ownIdentity();
    for (const name of [`job-${process.pid}-1-dead`, `job-${process.pid}-${started}-alive`]) {
      await recorded.make(join(recorded.service, name));
    }
    set(`job-${process.pid}-1-dead/cgroup.procs`, `${child.pid}\n`);
    mkdirSync(join(recorded.service, 'of-others'));
    writeFileSync(join(recorded.service, 'of-others/cgroup.procs'), '');
    await recorded.write(join(recorded.service, 'agent/cgroup.procs'), String(process.pid));
    await enter();
    expect(recorded.names()).toEqual(['agent', `job-${process.pid}-${started}-alive`, 'of-others']);
    expect(child.signalCode ?? readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toMatch(/SIGKILL|\) Z /);
  });

  it('have limits, or do not exist', async () => {
    const groups = await enter();
    const group = await groups.open({ memory: 64 * MIB, tasks: 80 });
    const [, name = ''] = recorded.names();
    expect(group.procs).toBe(join(recorded.service, name, 'cgroup.procs'));
    expect(
      ['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max'].map((file) =>
        recorded.text(`${name}/${file}`),
      ),
    ).toEqual([String(64 * MIB), '0', '1', '80']);
    await group.remove();
    set('cgroup.subtree_control', '');
    await expect(groups.open({ memory: 64 * MIB, tasks: 80 })).rejects.toThrow('memory.max');
    expect(recorded.names()).toEqual(['agent']);
  });
});

(process.getuid?.() === 0 ? it : it.skip)('writes files of groups that no one may read', async () => {
  chmodSync(recorded.root, 0o755);
  set('cgroup.kill', '');
  chmodSync(join(recorded.service, 'cgroup.kill'), 0o200);
  chownSync(join(recorded.service, 'cgroup.kill'), 47_110, 47_110);
  const source = join(import.meta.dirname, '../../src/runner/sandbox/control-groups/group-files.ts');
  const program = `import(${JSON.stringify(source)}).then(({ kernelGroupFiles }) => kernelGroupFiles.write(process.argv[1], '1'))`;
  const args = ['--reuid', '47110', '--regid', '47110', '--clear-groups', process.execPath];
  const path = join(recorded.service, 'cgroup.kill');
  execFileSync('setpriv', [...args, '--input-type=module', '-e', program, path]);
  expect(recorded.text('cgroup.kill')).toBe('1');
});

describeSandbox('a build in a control group', () => {
  it.each(['build', 'fetch'] as const)('is in it before its sandbox begins: %s', async (network) => {
    const sandbox = new BubblewrapSandbox({ ...options, memoryMiB: 100 }, await enter());
    const job = await openJob({}, undefined, sandbox);
    const running = job.sh('ulimit -l; sleep 0.5', { network });
    let members: string[] = [];
    for (;;) {
      const name = recorded.names().find((other) => other.startsWith('job-'));
      const first = name === undefined ? '' : recorded.text(`${name}/cgroup.procs`);
      if (first !== '') {
        members = [first, recorded.text(`${name}/memory.max`), recorded.text(`${name}/pids.max`)];
        // The first program of the sandbox, which becomes bubblewrap.
        expect(readFileSync(`/proc/${first}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]).toBe(
          String(process.pid),
        );
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(members.slice(1)).toEqual([String(100 * MIB), String(options.processes + 64)]);
    // The kernel counts what it pins.
    await expect(running).resolves.toEqual({ exitCode: 0, limit: null, output: '64\n' });
    expect(recorded.names()).toEqual(['agent']);
    expect(job.sandbox.notes.join()).toContain('The kernel keeps those of memory and processes');
    await removeFolder(job.folders.root);
  });

  it('has used too much memory if the kernel says so', async () => {
    recorded.memoryEvents = 'low 0\nhigh 0\nmax 5\noom 1\noom_kill 1\n';
    const job = await openJob({}, undefined, new BubblewrapSandbox(options, await enter()));
    await expect(job.sh('kill -9 $$')).resolves.toMatchObject({ exitCode: 137, limit: 'memory' });
    await removeFolder(job.folders.root);
  });

  it('does not begin outside of it', async () => {
    const groups = await enter();
    const job = await openJob({}, undefined, new BubblewrapSandbox(options, groups));
    set('cgroup.subtree_control', '');
    await expect(job.sh('echo begun')).rejects.toThrow('memory.max');
    await removeFolder(job.folders.root);
  });
});

function set(path: string, text: string): void {
  writeFileSync(join(recorded.service, path), text);
}

function writeMembership(text: string): void {
  writeFileSync(join(recorded.root, 'membership'), text);
}
