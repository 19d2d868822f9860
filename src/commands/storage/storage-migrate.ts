import { loadConfig } from '../../config/load-config.js';
import { createDriver } from '../../storage/create-storage.js';
import { type ObjectSum, StorageMigration } from '../../storage/migration/storage-migration.js';
import { StorageFailures } from '../../storage/storage-failures.js';
import { command, UsageError } from '../command.js';

/** Milliseconds between two lines about the progress. */
const PROGRESS_EVERY = 5000;

/** `slipway storage migrate`: copies the files of `STORAGE_FALLBACK` to `STORAGE`. See docs/object-storage.md. */
export const storageMigrate = command({
  options: {
    'dry-run': { type: 'boolean', default: false, help: 'say how much there is to copy, and copy nothing' },
  },
  details:
    'Copies what STORAGE does not have, and compares every copy with its source. Deletes nothing. Servers may run\n' +
    'meanwhile, and you can interrupt and repeat it.',
  run: async ({ 'dry-run': dryRun }) => {
    const config = loadConfig(process.env);
    const { driver, fallback } = config.storage;
    if (fallback === null) throw new UsageError('STORAGE_FALLBACK is required: the storage to copy from.');
    const failures = new StorageFailures();
    const target = await createDriver(driver, config, failures);
    const migration = new StorageMigration(await createDriver(fallback, config, failures), target);
    if (!dryRun) await target.checkWritable();
    await migration.plan();
    console.log(`From ${fallback} to ${driver}: ${inWords(migration.missingSum)} to copy,`);
    console.log(`${inWords(migration.present)} copied already.`);
    if (!dryRun) await copy(migration);
  },
});

async function copy(migration: StorageMigration): Promise<void> {
  const total = migration.missingSum;
  const timer = setInterval(() => {
    const { copied } = migration.progress;
    console.log(`${inWords(copied)} of ${inWords(total)}`);
  }, PROGRESS_EVERY);
  const { copied, skipped, failed } = await migration.run().finally(() => clearInterval(timer));
  console.log(`Copied and compared ${inWords(copied)}.`);
  if (skipped > 0) console.log(`${skipped} files were deleted or stored by a server meanwhile.`);
  for (const { key, error } of failed) {
    console.error(`${key}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (failed.length > 0) throw new Error(`${failed.length} files were not copied: run the command again.`);
}

function inWords({ objects, sizeInBytes }: ObjectSum): string {
  return `${objects} files (${(sizeInBytes / 1_000_000).toFixed(1)} MB)`;
}
