import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { memory } from './measure.ts';

/** Share of the processor below which a process is idle. */
const IDLE = 0.04;
/** Milliseconds over which that is looked at. */
const INTERVAL = 300;
/** Ticks per second in `/proc/<pid>/stat`: `getconf CLK_TCK` is 100 everywhere. */
const TICKS = 100;

/** A process with all that it has started. */
export async function familyOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const texts = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  );
  const children = texts.flatMap((text) => text.split(' ').filter(Boolean).map(Number));
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()];
}

/** Resident memory of a process with all that it has started, in MiB. */
export async function familyMemory(pid: number): Promise<number> {
  const each = await Promise.all((await familyOf(pid)).map((member) => memory(member, 'VmRSS')));
  return each.reduce((sum, megabytes) => sum + megabytes, 0);
}

/** Waits until a server has done what it does after requests, at most some seconds. */
export async function settled(pid: number, atMost = 15): Promise<void> {
  for (let waited = 0; waited < atMost * 1000; waited += INTERVAL) {
    const before = await processorTime(pid);
    await sleep(INTERVAL);
    const used = (await processorTime(pid)) - before;
    if (used / (INTERVAL / 1000) <= IDLE) return;
  }
}

/**
 * Seconds of processor time that a process and all that it has started have used: in nanoseconds where the kernel counts
 * them (`schedstat`), otherwise in ticks. A thread that has ended counts in ticks only.
 */
export async function processorTime(pid: number): Promise<number> {
  const each = await Promise.all(
    (await familyOf(pid)).map(async (member) => (await scheduledTime(member)) ?? timeInTicks(member)),
  );
  return each.reduce((sum, seconds) => sum + seconds, 0);
}

/** Seconds that the threads of a process have run, `null` where the kernel does not count them. */
async function scheduledTime(pid: number): Promise<number | null> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const texts = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8').catch(() => '')),
  );
  const counted = texts.filter(Boolean);
  if (counted.length === 0) return null;
  return counted.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]), 0) / 1e9;
}

async function timeInTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Behind the name, which may hold anything, the 12th and 13th field: user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS;
}
