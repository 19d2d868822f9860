import { type StorageGarbage, StorageGarbageService } from '../../storage/uploads/storage-garbage.service.js';
import { command, UsageError } from '../command.js';
import { withApplication } from '../with-application.js';

const HOUR = 3_600_000;

/** `slipway storage clean`: lists, or with `--delete` removes, leftovers in the storage. See docs/operations.md. */
export const storageClean = command({
  options: {
    delete: { type: 'boolean', default: false, help: 'delete the leftovers instead of listing them' },
    'older-than-hours': { type: 'string', default: '24', value: 'N', help: 'only leftovers of this age' },
  },
  run: async (values) => {
    const hours = parseHours(values['older-than-hours']);
    const olderThan = new Date(Date.now() - hours * HOUR);
    const garbage = await withApplication((context) => {
      const storage = context.get(StorageGarbageService, { strict: false });
      return values.delete ? storage.remove(olderThan) : storage.find(olderThan);
    });
    report(garbage, values.delete, hours);
  },
});

/** @throws UsageError */
function parseHours(text: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text))
    throw new UsageError('--older-than-hours must be a number of hours.');
  return Number(text);
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
    console.log('Delete them with: slipway storage clean --delete');
  }
}
