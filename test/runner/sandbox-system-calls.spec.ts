import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import { limitedCalls, NEWEST_CALL, refusedCalls } from '../../src/runner/sandbox/bubblewrap/system-calls.js';
import { describeSandbox, type Job, openJob } from '../support/runners/sandbox/jobs.js';

/** The first call since Linux 5.10. */
const FIRST = 440;
const { EPERM, EINVAL, ENOSYS } = constants.errno;
const column = process.arch === 'arm64' ? 1 : 0;

const page = readFileSync(join(import.meta.dirname, '../../docs/runners.md'), 'utf8');
const rows = (page.split('\n### System calls\n')[1]?.split('\n## ')[0] ?? '')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.some((cell) => /^(?:allowed|limited|refused)$/.test(cell)));

/** The names of the calls that the page decides about in this way. */
function named(decision: string): string[] {
  return rows
    .filter((cells) => cells.includes(decision))
    .flatMap((cells) => [...(cells.find((cell) => cell.startsWith('`')) ?? '').matchAll(/`(\w+)`/g)])
    .map(([, name = '']) => name);
}

/** The calls since Linux 5.10, by number, as the page has them. */
const recent = rows
  .filter(([, number = '']) => /^\d+$/.test(number))
  .map(([, number, call = '', , decision]) => ({
    number: Number(number),
    name: call.slice(1, -1),
    decision,
  }));

describe('the system calls in docs/runners.md', () => {
  it('are all since Linux 5.10, each once', () => {
    const numbers = Array.from({ length: NEWEST_CALL - FIRST + 1 }, (_, index) => FIRST + index);
    expect(recent.map(({ number }) => number)).toEqual(numbers);
  });

  it('are refused and limited by the filter as the page says', () => {
    expect(named('refused').sort()).toEqual(Object.keys(refusedCalls).sort());
    expect(named('limited').sort()).toEqual(Object.keys(limitedCalls).sort());
    const filtered = new Set([...named('refused'), ...named('limited')]);
    expect(named('allowed').filter((name) => filtered.has(name))).toEqual([]);
  });

  it('have the numbers of the filter', () => {
    const known: Readonly<Record<string, readonly number[]>> = refusedCalls;
    for (const { name, number, decision } of recent) {
      if (decision === 'refused') expect([name, known[name]]).toEqual([name, [number, number]]);
    }
  });
});

describeSandbox('the system calls of a build', () => {
  let job: Job;

  beforeAll(async () => {
    job = await openJob();
  });
  afterAll(() => removeFolder(job.folders.root));

  /** Calls each number with arguments that no call takes. @returns the errors; 0: it worked */
  const errorsOf = async (numbers: readonly number[]): Promise<number[]> => {
    const program = '$! = 0, syscall($_, -1, -1, -1, -1, -1, -1), print $! + 0, "\\n" for @ARGV';
    const { output } = await job.run(['perl', '-e', program, ...numbers.map(String)]);
    return output.trim().split('\n').map(Number);
  };

  it('fail with EPERM if they are refused', async () => {
    const numbers = Object.values(refusedCalls).map((call) => call[column]);
    const errors = await errorsOf(numbers);
    const worked = Object.keys(refusedCalls).filter((_name, index) => errors[index] !== EPERM);
    expect([errors.length, worked]).toEqual([numbers.length, []]);
  });

  it('do not fail with EPERM if they are allowed', async () => {
    const allowed = recent.filter(({ decision }) => decision === 'allowed');
    const errors = await errorsOf(allowed.map(({ number }) => number));
    const refused = allowed.filter((_call, index) => errors[index] === EPERM);
    expect([errors.length, refused]).toEqual([allowed.length, []]);
  });

  it('do not exist if they are newer than the page, or of x32', async () => {
    const X32 = 0x40000000;
    const errors = await errorsOf([NEWEST_CALL + 1, 500, X32, X32 + 1]);
    expect(errors).toEqual([ENOSYS, ENOSYS, ENOSYS, ENOSYS]);
  });

  it('make no secret memory, and no pages in a pipe that a process does not have', async () => {
    const [secret, vmsplice] = [refusedCalls.memfd_secret[column], refusedCalls.vmsplice[column]];
    const program = `pipe(my $end, my $pipe) or die; my $page = "x" x 4096; my $part = pack "PJ", $page, 4096;
      print syscall(${secret}, 0) == -1 ? $! + 0 : "worked", " ", syscall(${vmsplice}, fileno($pipe), $part, 1, 0) == -1 ? $! + 0 : "worked"`;
    expect((await job.run(['perl', '-e', program])).output).toBe(`${EPERM} ${EPERM}`);
  });

  it('make only small sets of semaphores', async () => {
    const semget = limitedCalls.semget[column];
    const program = `print join " ", map { syscall(${semget}, 0, $_, 0x380) >= 0 ? "worked" : $! + 0 } 32, 33, 32_000, -1`;
    expect((await job.run(['perl', '-e', program])).output).toBe(`worked ${EINVAL} ${EINVAL} ${EINVAL}`);
  });

  it('pin no memory, which the runner cannot count', async () => {
    const mlock = process.arch === 'arm64' ? 228 : 149;
    const program = `my $page = "x" x 8192; print syscall(${mlock}, unpack("J", pack("P", $page)), 4096) == -1 ? $! + 0 : "worked"`;
    const { output } = await job.run(['sh', '-c', 'ulimit -l; exec "$@"', 'sh', 'perl', '-e', program]);
    expect(output).toBe(`0\n${EPERM}`);
  });
});
