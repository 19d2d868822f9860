import { readFile, writeFile } from 'node:fs/promises';

/** Sets a process's largest resident memory to the present one. */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** Resident memory of a process in MiB: now (`VmRSS`), or at most since `resetPeak` (`VmHWM`). */
export async function memory(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
}

/** Seconds that work takes. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** The middle of the values; of an even number, the higher of the two. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that the share of all values, 0 to 1, lies below. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Rounded to so many digits behind the point. */
export function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
