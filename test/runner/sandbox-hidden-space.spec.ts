import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import type { SandboxOptions } from '../../src/runner/sandbox/sandbox-options.js';
import { spaceProgram } from '../support/runners/sandbox/space-program.js';
import {
  describeSandbox,
  type Job,
  markedProcesses,
  newMark,
  openJob,
} from '../support/runners/sandbox/jobs.js';

describeSandbox('space that no file and no mapping shows', () => {
  const mark = newMark();
  const jobs: Job[] = [];

  /** Runs a program of Perl that holds space for a second and a half. */
  const run = async (settings: Partial<SandboxOptions>, program: string) => {
    // No single file is larger than the disk, also in memory.
    const job = await openJob({ diskMiB: 1000, ...settings });
    jobs.push(job);
    return job.run(['perl', '-e', spaceProgram(program)], { env: { MARK: mark } });
  };
  afterEach(() => expect(markedProcesses(mark)).toEqual([]));
  afterAll(async () => {
    await Promise.all(jobs.map(({ folders }) => removeFolder(folders.root)));
  });

  it('is memory: an anonymous file that no process has mapped', async () => {
    const { limit } = await run({ memoryMiB: 256 }, 'fill(my $file = memfd(), 300); sleep 100');
    expect(limit).toBe('memory');
  });

  it('is memory: many anonymous files in many processes', async () => {
    const program =
      'for (1 .. 8) { fork and next; fill($files[$_] = memfd(), 20) for 1 .. 2; sleep 100 } sleep 100';
    expect((await run({ memoryMiB: 256 }, program)).limit).toBe('memory');
  });

  it('is memory: an anonymous file besides memory without one', async () => {
    const program = 'fill(my $file = memfd(), 150); touch(anonymous(150), 150); sleep 100';
    expect((await run({ memoryMiB: 256 }, program)).limit).toBe('memory');
  });

  it('is memory of processes whose first thread has ended', async () => {
    const program = 'use threads; threads->create(sub { my $x = "x" x 300_000_000; sleep 100 }); leave()';
    expect((await run({ memoryMiB: 256 }, program)).limit).toBe('memory');
    const files = 'use threads; threads->create(sub { fill(my $file = memfd(), 300); sleep 100 }); leave()';
    expect((await run({ memoryMiB: 256 }, files)).limit).toBe('memory');
  });

  it.each([
    ['an anonymous file', 'memfd()'],
    ['a file in /dev/shm', 'named("/dev/shm/file")'],
    ['a deleted file in /tmp', 'deleted("/tmp/file")'],
  ])('counts once: %s that several processes have open and mapped', async (_title, file) => {
    const program = `my $file = ${file}; fill($file, 150); my $own = "x" x 60_000_000;
      my $map = mapped($file, 150); for (1 .. 4) { fork or last } touch($map, 150); hold()`;
    expect(await run({ memoryMiB: 340 }, program)).toEqual({ exitCode: 0, limit: null, output: '' });
  });

  it('does not count what a process has freed', async () => {
    const program = `for (1 .. 8) { my $file = memfd(); fill($file, 150); close $file; vec(my $own, 150_000_000, 8) = 1;
      select undef, undef, undef, 0.1; undef $own }`;
    expect(await run({ memoryMiB: 260 }, program)).toEqual({ exitCode: 0, limit: null, output: '' });
  });

  it('is disk: deleted files that are open', async () => {
    const program = 'for (1 .. 4) { push @files, deleted("file"); fill($files[-1], 30) } sleep 100';
    expect((await run({ diskMiB: 64 }, program)).limit).toBe('disk');
  });

  it('counts once: a deleted file that several processes have open', async () => {
    const program = 'fill(my $file = deleted("file"), 40); for (1 .. 4) { fork or last } hold()';
    expect(await run({ diskMiB: 64 }, program)).toEqual({ exitCode: 0, limit: null, output: '' });
  });

  it('counts no deleted file of the memory as disk', async () => {
    const program = 'fill(my $file = deleted("/tmp/file"), 60); fill(my $other = memfd(), 60); hold()';
    expect(await run({ memoryMiB: 512, diskMiB: 64 }, program)).toEqual({
      exitCode: 0,
      limit: null,
      output: '',
    });
  });

  it('is found among 100,000 open files', async () => {
    const many = 'open_many(19_000); for (1 .. 4) { fork or last }';
    expect(await run({}, `${many} hold()`)).toEqual({ exitCode: 0, limit: null, output: '' });
    expect((await run({ memoryMiB: 256 }, `${many} fill(my $file = memfd(), 80); sleep 100`)).limit).toBe(
      'memory',
    );
  });

  it('is not looked for among more open files, which end the build', async () => {
    const end = await run({}, 'open_many(19_000); for (1 .. 9) { fork or last } sleep 100');
    expect(end).toEqual({ exitCode: 137, limit: 'open-files', output: '' });
  });

  it.each([
    ['open files of a thread alone', 'syscall($unshare, 0x400) == -1 && $!{EPERM} > 0'],
    ['open files of a new thread alone', 'syscall($clone, 0x10900, 0, 0, 0, 0) == -1 && $!{EPERM} > 0'],
    ['calls whose flags are hidden', 'syscall(435, 0, 0) == -1 && $!{ENOSYS} > 0'],
    [
      'open files apart, by the way',
      'syscall(436, 1000, 1001, 2) == -1 && $!{EINVAL} && syscall(436, 1000, 1001, 0) == 0',
    ],
    [
      'large segments without a process',
      'syscall($shmget, 0, 1 << 20, 0x3c0) == -1 && $!{EINVAL} && syscall($shmget, 0, 1 << 33, 0x3c0) == -1 && $!{EINVAL} && syscall($shmget, 0, 4096, 0x3c0) >= 0',
    ],
    [
      'files that only root sees',
      'syscall($prctl, 4, 0, 0, 0, 0) == 0 && syscall($prctl, 3, 0, 0, 0, 0) == 1',
    ],
  ])('has no %s', async (_title, expression) => {
    expect((await run({}, `print ${expression}`)).output).toBe('1');
  });
});
