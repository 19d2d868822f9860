import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { killProcessesOf } from '../../src/runner/folders/job-folder-store.js';
import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import { eventually } from '../support/eventually.js';
import {
  describeSandbox,
  type Job,
  markedProcesses,
  newMark,
  openJob,
  options,
  processTree,
  spawnRunner,
  stillRunning,
} from '../support/runners/sandbox/jobs.js';

/** Whether the kernel lets processes stop others that are not their children. */
const YAMA = '/proc/sys/kernel/yama/ptrace_scope';
const canTrace = !existsSync(YAMA) || readFileSync(YAMA, 'utf8').trim() === '0';

describeSandbox('the processes of a build', () => {
  let job: Job;
  let mark: string;

  beforeAll(async () => {
    job = await openJob();
  });
  beforeEach(() => {
    mark = newMark();
  });
  afterEach(() => expect(markedProcesses(mark)).toEqual([]));
  afterAll(() => removeFolder(job.folders.root));

  it.each([
    ['in the background', 'sleep 100 &'],
    ['after nohup', 'nohup sleep 100 >/dev/null 2>&1 &'],
    ['in a session of their own', 'setsid sleep 100 >/dev/null 2>&1 &'],
    ['as orphans of orphans', '( ( setsid sleep 100 & ) & ) >/dev/null 2>&1'],
    [
      'that ignore signals',
      `setsid sh -c 'trap "" TERM INT HUP; while :; do sleep 1; done' >/dev/null 2>&1 &`,
    ],
  ])('die with the command: those %s', async (_title, script) => {
    const end = await job.sh(`${script}\nsleep 0.3; echo done`, { env: { MARK: mark } });
    expect(end).toMatchObject({ exitCode: 0, output: expect.stringContaining('done') });
    expect(markedProcesses(mark)).toEqual([]);
  });

  it.each([
    ['never ends', 'while :; do sleep 1; done'],
    [
      'ignores every signal that it can',
      'trap "" TERM INT HUP QUIT; setsid sleep 1000 & while :; do sleep 1; done',
    ],
    ['stops itself', 'sleep 1000 & kill -STOP $$'],
    ['stops its parent', 'kill -STOP 1; sleep 1000'],
  ])('all die with the signal, of a build that %s', async (_title, script) => {
    const reason = new Error('The job was canceled.');
    const controller = new AbortController();
    const running = job.sh(`echo begun; ${script}`, { env: { MARK: mark }, signal: controller.signal });
    await eventually(() => expect(markedProcesses(mark).length).toBeGreaterThan(1));
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  (canTrace ? it : it.skip)('die at once when one stops the first one, which would never end', async () => {
    // PTRACE_SEIZE and PTRACE_INTERRUPT: the kernel keeps signals of the sandbox from its first process.
    const ptrace = process.arch === 'x64' ? 101 : 117;
    const script = `syscall(${ptrace}, $_, 1, 0, 0) == 0 or die "$!" for 0x4206, 0x4207; sleep 1000`;
    const end = await job.run(['perl', '-e', script], { env: { MARK: mark } });
    expect(end).toMatchObject({ exitCode: 137, limit: 'stopped', output: '' });
  });

  it.each([
    ['stops all others', "sh -c 'kill -STOP -1'"],
    ['stops all others, and continues for a while', "sh -c 'kill -STOP -1; sleep 1'"],
    ['stops itself', 'kill -STOP $$'],
    ['stops after its children', "for i in 1 2 3; do sh -c 'kill -STOP $$' & done; kill -STOP $$"],
  ])('die soon if none is left to continue the others, because one %s', async (_title, script) => {
    const end = await job.sh(`${script}; echo continued`, { env: { MARK: mark } });
    expect(end).toEqual({ exitCode: 137, limit: 'all-stopped', output: '' });
  });

  it('may stop and continue each other', async () => {
    const script = `sleep 0.1 & kill -STOP $!; sleep 1; kill -CONT $!; wait $!; echo first
      (sleep 1; kill -CONT $$) & kill -STOP $$; echo second
      perl -e 'my $main = $$; my $other = fork; if (!$other) { $main = getppid; for (1 .. 400) { kill CONT => $main; kill STOP => $$ } exit }
        for (1 .. 400) { kill CONT => $other; select undef, undef, undef, 0.005 } kill CONT => $other while waitpid($other, 1) == 0; print "third\n"'`;
    await expect(job.sh(script)).resolves.toEqual({
      exitCode: 0,
      limit: null,
      output: 'first\nsecond\nthird\n',
    });
  });

  it('do not begin after the signal', async () => {
    const reason = new Error('The job was canceled.');
    await expect(job.sh('echo begun', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('die with a signal at any moment of the start', async () => {
    for (const delay of [1, 10, 20, 40, 60, 80, 100]) {
      const running = job.sh('sleep 100', { env: { MARK: mark }, signal: AbortSignal.timeout(delay) });
      await expect(running).rejects.toMatchObject({ name: 'TimeoutError' });
      expect(markedProcesses(mark)).toEqual([]);
    }
  });

  it('can kill each other, but nothing else', async () => {
    await expect(job.sh('kill -9 1; kill -9 $PPID; kill -TERM 1; echo here; exit 5')).resolves.toMatchObject({
      exitCode: 5,
      output: expect.stringContaining('here'),
    });
    await expect(job.sh('sleep 100 & kill -9 -1; echo here')).resolves.toMatchObject({ limit: null });
    await expect(job.sh('kill -SEGV $$')).resolves.toMatchObject({ exitCode: 139, limit: null });
  });

  it('print 1 GB, which the runner does not keep', async () => {
    let bytes = 0;
    const before = process.memoryUsage().rss;
    let most = before;
    const end = await job.sandbox.run({
      command: ['head', '-c', '1000000000', '/dev/zero'],
      cwd: '',
      env: {},
      network: 'build',
      onOutput: (chunk) => {
        bytes += chunk.length;
        if (bytes % 50 === 0) most = Math.max(most, process.memoryUsage().rss);
      },
      signal: AbortSignal.timeout(100_000),
    });
    expect(end).toEqual({ exitCode: 0, limit: null });
    expect(bytes).toBe(1_000_000_000);
    expect(most - before).toBeLessThan(200_000_000);
  });

  it('wait for a slow reader, and die at once when they are not wanted any more', async () => {
    const controller = new AbortController();
    let bytes = 0;
    const running = job.sandbox.run({
      command: ['yes', mark],
      cwd: '',
      env: {},
      network: 'build',
      onOutput: (chunk) => {
        bytes += chunk.length;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
        if (bytes > 1_000_000) controller.abort(new Error('Enough.'));
      },
      signal: controller.signal,
    });
    await expect(running).rejects.toThrow('Enough.');
    expect(bytes).toBeLessThan(5_000_000);
  });

  it('die with a runner that is killed, and so does all that makes the sandbox', async () => {
    const script = `setsid sleep 1000 & sleep 1000 & sleep 0.5; echo begun; trap "" TERM; wait; : ${mark}`;
    const runner = spawnRunner({ root: job.folders.root, script, options });
    await once(runner.stdout, 'data');
    const all = processTree(runner.pid ?? 0);
    const names = markedProcesses(mark);
    expect(names.length).toBeGreaterThan(3);
    // The runner, bubblewrap, slirp4netns, the first process, and those of the build.
    expect(all.length).toBeGreaterThanOrEqual(6);
    runner.kill('SIGKILL');
    await eventually(() => expect(stillRunning(all)).toEqual([]));
  });

  it('do not begin when their runner is killed before, and leave nothing for the next runner', async () => {
    for (let pause = 0; pause < 200; pause += 10) {
      const runner = spawnRunner({ root: job.folders.root, script: `sleep 1000; : ${mark}`, options });
      await eventually(() => expect(processTree(runner.pid ?? 0).length).toBeGreaterThan(1));
      await sleep(pause);
      runner.kill('SIGKILL');
    }
    // bubblewrap itself may wait for ever. The next runner ends it.
    const isBuild = (pid: number): boolean => !readFileSync(`/proc/${pid}/cmdline`).includes('bwrap');
    await eventually(() => expect(markedProcesses(mark).filter(isBuild)).toEqual([]));
    await killProcessesOf(job.folders.root);
    await eventually(() => expect(markedProcesses(mark)).toEqual([]));
  });

  it('are found by no descriptor that the runner has from its parent', async () => {
    const parent = spawnRunner({ root: job.folders.root, script: 'ls -l /proc/self/fd', options }, [
      '/bin/sh',
      '-c',
      'exec 8</etc/hostname 9>/dev/null; exec "$@"',
      'sh',
    ]);
    let output = '';
    parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(parent, 'close');
    expect(output).toContain('/dev/null');
    expect(output).not.toContain('hostname');
  });
});
