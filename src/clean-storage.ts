import { parseArgs } from 'node:util';
import { runCommand, withApplication } from './start/command.js';
import { type StorageGarbage, StorageGarbageService } from './storage/uploads/storage-garbage.service.js';

const HOUR = 3_600_000;
const USAGE = 'Usage: npm run storage:clean -- [--delete] [--older-than-hours N]';

/** `npm run storage:clean`: lists, or with `--delete` removes, what was left in storage. See docs/operations.md. */
async function main(): Promise<void> {
  const { remove, hours } = readArguments();
  const olderThan = new Date(Date.now() - hours * HOUR);
  const garbage = await withApplication((context) => {
    const storage = context.get(StorageGarbageService, { strict: false });
    return remove ? storage.remove(olderThan) : storage.find(olderThan);
  });
  report(garbage, remove, hours);
}

function readArguments(): { remove: boolean; hours: number } {
  const { values } = parseArgs({
    options: {
      delete: { type: 'boolean', default: false },
      'older-than-hours': { type: 'string', default: '24' },
    },
  });
  const hours = values['older-than-hours'];
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(hours)) throw new Error('--older-than-hours must be a number of hours.');
  return { remove: values.delete, hours: Number(hours) };
}

function report(
  { abandonedWrites, staleUploads, orphans }: StorageGarbage,
  removed: boolean,
  hours: number,
): void {
  for (const { id, parts } of staleUploads) console.log(`unfinished upload ${id} (${parts} parts)`);
  for (const { key, sizeInBytes } of orphans) console.log(`orphan ${key} (${sizeInBytes} bytes)`);
  const found = `${abandonedWrites} abandoned writes, ${staleUploads.length} unfinished uploads and ${orphans.length} orphans`;
  console.log(`${removed ? 'Deleted' : 'Found'} ${found} older than ${hours} hours.`);
  if (!removed && abandonedWrites + staleUploads.length + orphans.length > 0) {
    console.log('Run it with --delete to delete them: npm run storage:clean -- --delete');
  }
}

runCommand(main, USAGE);
