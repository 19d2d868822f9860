import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import type { SandboxOptions } from '../../src/runner/sandbox/sandbox-options.js';
import { spaceProgram } from '../support/runners/sandbox/space-program.js';
import { hasSandbox, makeFolders, options, spawnRunner } from '../support/runners/sandbox/jobs.js';

/** A user that no machine has. */
const USER = 47_110;
const asUser = ['--reuid', String(USER), '--regid', String(USER), '--clear-groups'];

/** Whether ordinary users may connect a sandbox to a network. */
const isConnectable = ((statSync('/dev/net/tun', { throwIfNoEntry: false })?.mode ?? 0) & 0o006) === 0o006;

// Other tests run as the user of the tests. Root can also become another one.
const describeAsRoot = hasSandbox && isConnectable && process.getuid?.() === 0 ? describe : describe.skip;

describeAsRoot('a runner of an ordinary user', () => {
  let parent: string;

  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'user-'));
    chownSync(parent, USER, USER);
  });
  afterAll(() => removeFolder(parent));

  async function run(script: string, settings: Partial<SandboxOptions> = {}) {
    const { root } = makeFolders(parent, USER);
    const runner = spawnRunner({ root, script, options: { ...options, ...settings } }, [
      'setpriv',
      ...asUser,
    ]);
    let output = '';
    for await (const chunk of runner.stdout) output += String(chunk);
    return { root, output, end: JSON.parse(output.trim().split('\n').at(-1) ?? '') as unknown };
  }

  it('builds in the sandbox, as a user without rights', async () => {
    const { output } = await run(
      'id -u; grep CapEff /proc/self/status; touch file; unshare -U true; cat /proc/1/oom_score_adj',
    );
    expect(output).toContain('1000\nCapEff:\t0000000000000000\n');
    expect(output).toContain('unshare failed');
    expect(output).toContain('1000\n{"exitCode":0,"limit":null}');
  });

  it('has the kernel limit processes between two looks', async () => {
    const program =
      '$| = 1; for (1 .. 2000) { my $pid = fork; if (!defined $pid) { print "refused: $!\\n"; last } if (!$pid) { sleep 100; exit } } sleep 100';
    let output = '';
    // A look in the middle of the forks ends the build first.
    for (let attempt = 0; attempt < 20 && !output.includes('refused'); attempt++) {
      const ended = await run(`perl -e '${program}'`);
      expect(ended.end).toMatchObject({ limit: 'processes' });
      ({ output } = ended);
    }
    expect(output).toContain('refused: Resource temporarily unavailable');
  });

  it('survives a build that forks without end', async () => {
    expect((await run('f() { f & f; }; trap "" TERM; f; sleep 100')).end).toMatchObject({
      exitCode: expect.any(Number),
    });
    expect((await run('perl -e "fork while 1"')).end).toEqual({ exitCode: 137, limit: 'processes' });
  });

  it('counts memory once that processes share, and ends a build that takes too much', async () => {
    const program =
      'my $x = "x" x 150_000_000; for (1 .. 6) { fork or last } select undef, undef, undef, 1.5';
    expect((await run(`perl -e '${program}'`)).end).toEqual({ exitCode: 0, limit: null });
    const hog = 'my @all; push @all, "x" x 10_000_000 while 1';
    expect((await run(`perl -e '${hog}'`)).end).toEqual({ exitCode: 137, limit: 'memory' });
  });

  it('counts files that have no name', async () => {
    const perl = (program: string) => `perl -e '${spaceProgram(program).replaceAll("'", String.raw`'\''`)}'`;
    const settings = { memoryMiB: 256, diskMiB: 1000 };
    const { end } = await run(perl('fill(my $file = memfd(), 300); sleep 100'), settings);
    expect(end).toEqual({ exitCode: 137, limit: 'memory' });
    const disk = perl('for (1 .. 4) { push @files, deleted("file"); fill($files[-1], 30) } sleep 100');
    expect((await run(disk)).end).toMatchObject({ limit: 'disk' });
  });

  it('ends a build that hides which files it has open', async () => {
    const { end } = await run('cp /bin/sleep sleep; chmod 111 sleep; ./sleep 100');
    expect(end).toEqual({ exitCode: 137, limit: 'hidden' });
  });

  it('measures and removes what the build has closed for itself', async () => {
    const script = `mkdir closed && for i in $(seq 80); do head -c 1000000 /dev/zero > closed/$i; [ $i = 40 ] && chmod 300 closed; done; chmod 000 closed; sleep 100`;
    const { root, end } = await run(script);
    expect(end).toMatchObject({ limit: 'disk' });
    const source = join(import.meta.dirname, '../../src/runner/folders/remove-folder.ts');
    const program = `import(${JSON.stringify(source)}).then(({ removeFolder }) => removeFolder(process.argv[1]))`;
    execFileSync('setpriv', [...asUser, process.execPath, '--input-type=module', '-e', program, root]);
    expect(existsSync(root)).toBe(false);
  });
});
