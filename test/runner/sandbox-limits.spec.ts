import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import type { SandboxOptions } from '../../src/runner/sandbox/sandbox-options.js';
import {
  describeSandbox,
  type Job,
  markedProcesses,
  newMark,
  openJob,
} from '../support/runners/sandbox/jobs.js';

const isRoot = process.getuid?.() === 0;

describeSandbox('the limits of a build', () => {
  const mark = newMark();
  const jobs: Job[] = [];

  const open = async (settings: Partial<SandboxOptions> = {}, parent?: string) => {
    const job = await openJob(settings, parent);
    jobs.push(job);
    return job;
  };
  afterEach(() => expect(markedProcesses(mark)).toEqual([]));
  afterAll(async () => {
    await Promise.all(jobs.map(({ folders }) => removeFolder(folders.root)));
  });

  it('ends a build that forks without end', async () => {
    const job = await open();
    // For root, only the runner stops it: without an end of its own, a mistake here would take all processes of the machine.
    const program = 'my $n = 0; while ($n++ < 3000) { my $pid = fork; last if !$pid } sleep 100';
    const end = await job.run(['perl', '-e', program], { env: { MARK: mark } });
    expect(end).toEqual({ exitCode: 137, limit: 'processes', output: '' });
  });

  it('ends a build with too many threads', async () => {
    const job = await open({ processes: 30 });
    const program = `const { Worker } = require('node:worker_threads');
      for (let i = 0; i < 40; i++) new Worker('setInterval(() => {}, 1000)', { eval: true }).on('error', () => {});`;
    expect((await job.node(program)).limit).toBe('processes');
  });

  it('ends a build that takes too much memory', async () => {
    const job = await open();
    const end = await job.run(['perl', '-e', 'my @all; push @all, "x" x 10_000_000 while 1'], {
      env: { MARK: mark },
    });
    expect(end).toMatchObject({ exitCode: 137, limit: 'memory' });
  });

  it('ends a build that takes too much memory in many processes', async () => {
    const job = await open();
    const script = 'for i in $(seq 40); do perl -e \'my $x = "x" x 20_000_000; sleep 100\' & done; wait';
    expect((await job.sh(script, { env: { MARK: mark } })).limit).toBe('memory');
  });

  it('counts memory once that processes share', async () => {
    const job = await open();
    const program =
      'my $x = "x" x 150_000_000; for (1 .. 6) { fork or last } select undef, undef, undef, 1.5';
    const end = await job.run(['perl', '-e', program], { env: { MARK: mark } });
    expect(end).toMatchObject({ exitCode: 0, limit: null });
  });

  it.each(['/tmp', '/dev/shm'])('counts files in %s as memory, and has no room for many', async (path) => {
    const job = await open();
    const end = await job.sh(`dd if=/dev/zero of=${path}/big bs=1M count=2000; sleep 1; exit 9`);
    // Each has half of the memory, and no file is larger than the disk.
    expect(end.exitCode).not.toBe(0);
    const many = `for i in $(seq 60); do dd if=/dev/zero of=/tmp/$i bs=1M count=10 & dd if=/dev/zero of=/dev/shm/$i bs=1M count=10; done; sleep 5`;
    const { limit, output } = await job.sh(many, { env: { MARK: mark } });
    expect(limit === 'memory' || output.includes('No space left on device')).toBe(true);
  });

  it('ends a build that writes a large file', async () => {
    const job = await open();
    const end = await job.sh(`exec dd if=/dev/zero of=big bs=1M`, { env: { MARK: mark } });
    expect(end.limit).toBe('disk');
  });

  it('ends a build that fills the disk with small files', async () => {
    const job = await open();
    const script = 'i=0; while :; do i=$((i + 1)); head -c 1000000 /dev/zero > file$i; done';
    const end = await job.sh(script, { env: { MARK: mark } });
    expect(end).toMatchObject({ exitCode: 137, limit: 'disk' });
  });

  it('counts what lies in home and cache, and in folders that the build has closed', async () => {
    const job = await open();
    const script = `cd ~ && mkdir closed && for i in $(seq 50); do head -c 1000000 /dev/zero > closed/$i; done
      head -c 30000000 /dev/zero > /tmp/capawesome/cache/file; chmod 000 closed; sleep 100`;
    expect((await job.sh(script, { env: { MARK: mark } })).limit).toBe('disk');
  });

  (isRoot ? it : it.skip)('ends a build before the disk of the machine is full', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'disk', disk]);
    try {
      const job = await open({ diskMiB: 10_000 }, disk);
      const script = 'for i in $(seq 29); do head -c 10000000 /dev/zero > file$i; sleep 0.1; done; sleep 100';
      expect((await job.sh(script, { env: { MARK: mark } })).limit).toBe('disk');
    } finally {
      execFileSync('umount', ['--lazy', disk]);
      rmdirSync(disk);
    }
  });

  it('leaves a build alone that stays below', async () => {
    const job = await open();
    const script =
      'head -c 20000000 /dev/zero > file; sleep 1; perl -e \'my $x = "x" x 50_000_000; sleep 1\'; nice';
    await expect(job.sh(script)).resolves.toMatchObject({ exitCode: 0, limit: null, output: '10\n' });
  });
});
