import { jest } from '@jest/globals';
import { StorageFailure } from '../common/errors/storage-failure.js';
import type { ObjectStorage } from '../storage/object-storage.js';
import { StorageFailures } from '../storage/storage-failures.js';
import { StorageReadiness } from './storage-readiness.js';

let checks: PromiseWithResolvers<void>[];
let readiness: StorageReadiness;
/** Milliseconds that have passed besides the real ones. */
let ahead: number;

beforeEach(() => {
  checks = [];
  ahead = 0;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  const checkWritable = (): Promise<void> => {
    const check = Promise.withResolvers<void>();
    checks.push(check);
    return check.promise;
  };
  const storage = { checkWritable } as unknown as ObjectStorage;
  readiness = new StorageReadiness(storage, new StorageFailures());
});
afterEach(() => jest.restoreAllMocks());

/** @returns the message of the failure; `null`: it is ready */
function ask(): Promise<string | null> {
  return readiness.assertWritable().then(
    () => null,
    (error: Error) => error.message,
  );
}

const SILENT = 'The storage has not responded for 60 seconds.';

it('stays ready while a check is slow, and learns from its end', async () => {
  expect(await ask()).toBeNull();
  expect(checks).toHaveLength(1);
  checks[0]?.reject(new StorageFailure('The disk is full (ENOSPC).', 'full'));
  expect(await ask()).toBe('The disk is full (ENOSPC).');
}, 20_000);

it('is not ready when a check neither fails nor ends, until another one succeeds', async () => {
  expect(await ask()).toBeNull();
  ahead = 60_000;
  expect([await ask(), await ask()]).toEqual([SILENT, SILENT]);
  expect(checks).toHaveLength(2);
  // What ends after a newer one has begun changes nothing.
  checks[0]?.resolve();
  await new Promise(setImmediate);
  const joined = ask();
  expect(checks).toHaveLength(2);
  checks[1]?.resolve();
  expect(await joined).toBeNull();
}, 40_000);
