import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { keyOf } from './deleted-files.js';
import { numberOf } from './process-usage.js';

/** How much is read about mappings, in bytes: a process can have 65,530, and each is described in about 700 bytes. */
const MOST = 8 * 1024 ** 2;
const CHUNK = 64 * 1024;
/** The first line of a mapping: addresses, rights, offset, device, inode. */
const HEADER = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ ([0-9a-f]+):([0-9a-f]+) (\d+)/;

/**
 * How much memory of some files processes have mapped, in bytes; what they share is divided. Less if it would take too long
 * to read.
 *
 * @param processes folders of `/proc`
 * @param isWanted by device and by `device:inode`
 */
export async function readMappedFiles(
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
