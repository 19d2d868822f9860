import { readFile, statfs, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type DeletedFiles, devicesOf, MEMORY_FOLDERS, keyOf } from './deleted-files.js';
import { listProcesses, numberOf, procOf, type ProcessUsage, readProcesses } from './process-usage.js';

/** How much is read about mappings, in bytes: a process can have 65,530, and each is described in about 700 bytes. */
const MOST = 8 * 1024 ** 2;
const CHUNK = 64 * 1024;

/** The first line of a mapping: addresses, rights, offset, device, inode. */
const HEADER = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ ([0-9a-f]+):([0-9a-f]+) (\d+)/;

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
  // Processes that end during the measurement leave their shares to others, which then count twice.
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

/**
 * How much memory of some files processes have mapped, in bytes; what they share is divided. Less if it would take too long
 * to read.
 *
 * @param processes folders of `/proc`
 * @param isWanted by device and by `device:inode`
 */
async function readMappedFiles(
  processes: readonly string[],
  isWanted: (device: number, file: string) => boolean,
): Promise<number> {
  let left = MOST;
  let total = 0;
  for (const process of processes) {
    if (left <= 0) break;
    const text = await readStart(join(process, 'smaps'), left);
    left -= text.length;
    for (const mapping of text.split(/^(?=[0-9a-f]+-)/m)) {
      const [, major = '', minor = '', inode = ''] = HEADER.exec(mapping) ?? [];
      const device = deviceOf(Number.parseInt(major, 16), Number.parseInt(minor, 16));
      if (inode === '' || !isWanted(device, keyOf(device, inode))) continue;
      // Pages that the process has changed in a private mapping are its own.
      total += 1024 * Math.max(0, numberOf(mapping, 'Pss') - numberOf(mapping, 'Anonymous'));
    }
  }
  return total;
}

/** The number of a device as `stat` has it. */
function deviceOf(major: number, minor: number): number {
  return (minor & 0xff) + (major & 0xfff) * 2 ** 8 + (minor >>> 8) * 2 ** 20;
}

async function readStart(path: string, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  const file = await open(path).catch(() => null);
  if (file === null) return '';
  try {
    for (let length = 0; length < most;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, null);
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
  } catch {
    // The process has ended.
  } finally {
    await file.close();
  }
  return Buffer.concat(chunks).toString('latin1');
}
