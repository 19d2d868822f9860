import type { Damage } from './blobs/blob.entity.js';
import { digestOf } from './digest-of.js';
import type { ObjectDigest, ObjectStorage } from './object-storage.js';
import { ObjectNotFoundError } from './storage-errors.js';

/** Waits after a piece of so many bytes. */
export type Pace = (bytes: number) => Promise<void>;

/**
 * Looks whether an object exists and has the right length, without reading it.
 *
 * @returns `null`: it does
 */
export function findAbsence(
  storage: ObjectStorage,
  key: string,
  { sizeInBytes }: Pick<ObjectDigest, 'sizeInBytes'>,
): Promise<Damage | null> {
  return orMissing(async () => ((await storage.stat(key)).sizeInBytes === sizeInBytes ? null : 'size'));
}

/**
 * Reads an object and compares all of its bytes.
 *
 * @returns `null`: they are as they should be
 */
export function findDamage(
  storage: ObjectStorage,
  key: string,
  expected: ObjectDigest,
  pace?: Pace,
): Promise<Damage | null> {
  return orMissing(() => compare(storage, key, expected, pace));
}

async function compare(
  storage: ObjectStorage,
  key: string,
  expected: ObjectDigest,
  pace?: Pace,
): Promise<Damage | null> {
  const { body, sizeInBytes } = await storage.get(key);
  if (sizeInBytes !== expected.sizeInBytes) {
    body.destroy();
    return 'size';
  }
  const { sha256 } = await digestOf(body, pace);
  return sha256 === expected.sha256 ? null : 'checksum';
}

async function orMissing(check: () => Promise<Damage | null>): Promise<Damage | null> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return 'missing';
    throw error;
  }
}
