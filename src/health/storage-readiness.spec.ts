import { StorageFailure } from '../common/errors/storage-failure.js';
import type { ObjectStorage } from '../storage/object-storage.js';
import { StorageFailures } from '../storage/storage-failures.js';
import { StorageReadiness } from './storage-readiness.js';

it('ignores a check that ends after a newer one has begun', async () => {
  const checks: PromiseWithResolvers<void>[] = [];
  const checkWritable = (): Promise<void> => {
    const check = Promise.withResolvers<void>();
    checks.push(check);
    return check.promise;
  };
  const storage = { checkWritable } as unknown as ObjectStorage;
  const readiness = new StorageReadiness(storage, new StorageFailures());
  await expect(readiness.assertWritable()).rejects.toThrow('did not respond');
  const newer = readiness.assertWritable();
  checks[0]?.reject(new StorageFailure('It was away.', 'unavailable'));
  await new Promise(setImmediate);
  const joined = readiness.assertWritable();
  expect(checks).toHaveLength(2);
  checks[1]?.resolve();
  await Promise.all([newer, joined]);
  await readiness.assertWritable();
  expect(checks).toHaveLength(2);
}, 20_000);
