import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type DeletedFiles, devicesOf, MEMORY_FOLDERS } from './deleted-files.js';
import { readMappedFiles } from './mapped-files.js';
import { listProcesses, numberOf, procOf, type ProcessUsage, readProcesses } from './process-usage.js';

/** The memory of a process in bytes, with its share of what it has together with others. */
interface Share {
  /** Its own memory, also in swap. */
  readonly own: number;
  /** Memory of files that it has mapped. */
  readonly mapped: number;
}

/**
 * Whether the processes of a sandbox use more memory than they may: their own, also in swap, and files in memory, mapped or
 * not. Without files that the system caches. Figures that cost little and count some memory twice come first; those that
 * are exact are read only if they decide.
 *
 * @param limit in bytes
 * @param init the folder of the first process of the sandbox in `/proc`
 */
export async function exceedsMemory(
  limit: number,
  init: string,
  processes: readonly ProcessUsage[],
  deletedFiles: DeletedFiles,
): Promise<boolean> {
  if (!(await isAbove(limit, init, processes, deletedFiles))) return false;
  // Processes that end meanwhile leave their shares to others, which then count twice.
  const left = await readProcesses(init, await listProcesses(init));
  return isAbove(limit, init, left, deletedFiles);
}

async function isAbove(
  limit: number,
  init: string,
  processes: readonly ProcessUsage[],
  deletedFiles: DeletedFiles,
): Promise<boolean> {
  if (processes.length === 0) return false;
  const all = sum(processes.map(({ memory }) => memory));
  if (all + (await sizeOfFolders(init)) + deletedFiles.latest.memory <= limit) return false;
  const deleted = await deletedFiles.read(processes.map(({ folder }) => folder));
  const files = (await sizeOfFolders(init)) + deleted.memory;
  const shares = await Promise.all(processes.map((process) => readShare(init, process)));
  const own = sum(shares.map((share) => share.own));
  const mapped = sum(shares.map((share) => share.mapped));
  if (own + files + mapped <= limit) return false;
  if (own + Math.max(files, mapped) > limit) return true;
  // Of what is mapped, some are pages of these files, and the others have no file that the runner can see.
  const mapping = processes.filter((_process, index) => (shares[index]?.mapped ?? 0) > 0);
  const devices = await devicesOf(MEMORY_FOLDERS.map((path) => join(init, 'root', path)));
  const isCounted = (device: number, file: string): boolean =>
    devices.has(device) || deleted.inMemory.has(file);
  const both = await readMappedFiles(
    mapping.map(({ folder }) => join(procOf(init), folder)),
    isCounted,
  );
  return own + files + mapped - both > limit;
}

async function readShare(init: string, { folder }: ProcessUsage): Promise<Share> {
  const text = await readFile(join(procOf(init), folder, 'smaps_rollup'), 'utf8').catch(() => '');
  if (text === '') {
    // It has ended, or the kernel does not know.
    const [process] = await readProcesses(init, [folder]);
    return { own: process?.memory ?? 0, mapped: 0 };
  }
  return {
    own: 1024 * (numberOf(text, 'Pss_Anon') + numberOf(text, 'SwapPss')),
    mapped: 1024 * numberOf(text, 'Pss_Shmem'),
  };
}

/** Files in the folders that lie in memory, in bytes. */
async function sizeOfFolders(init: string): Promise<number> {
  const sizes = MEMORY_FOLDERS.map(async (path) => {
    const size = await statfs(join(init, 'root', path)).catch(() => null);
    return size === null ? 0 : (size.blocks - size.bfree) * size.bsize;
  });
  return sum(await Promise.all(sizes));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
