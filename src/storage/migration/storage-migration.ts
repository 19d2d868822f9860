import { hashed } from '../blobs/hashed.js';
import type { ObjectStorage, ObjectSummary } from '../object-storage.js';
import { ObjectNotFoundError } from '../storage-errors.js';

/** Objects that are copied at once. */
const AT_ONCE = 8;
/** Failures in a row after which the run ends: one of the storages is away. */
const MAX_FAILURES = 100;
/** The keys of everything that Slipway stores begin so; a bucket may hold objects of others. */
const PREFIX = 'blobs/';

/** A number of objects and their bytes. */
export interface ObjectSum {
  objects: number;
  sizeInBytes: number;
}

/** What a migration has done so far. */
export interface MigrationProgress {
  /** Copied by this run, and compared with what was read. */
  readonly copied: ObjectSum;
  /** Deleted, or stored in the target by a server, while this ran. */
  skipped: number;
  /** Why objects could not be copied. */
  readonly failed: { readonly key: string; readonly error: unknown }[];
}

/**
 * Copies the objects of one storage to another, where they appear complete or not at all. Objects never change, so
 * objects that the target has are left unchanged: they may have been repaired. A run that was interrupted can be
 * repeated. Servers may store and delete objects during the copy, through a `FallbackObjectStorage`.
 */
export class StorageMigration {
  /** What the target has already. */
  readonly present: ObjectSum = { objects: 0, sizeInBytes: 0 };
  readonly missing: ObjectSummary[] = [];
  readonly progress: MigrationProgress = { copied: { objects: 0, sizeInBytes: 0 }, skipped: 0, failed: [] };

  constructor(
    private readonly source: ObjectStorage,
    private readonly target: ObjectStorage,
  ) {}

  /** What is left to copy. */
  get missingSum(): ObjectSum {
    return { objects: this.missing.length, sizeInBytes: sizeOf(this.missing) };
  }

  /** Compares the two storages. Takes about 200 bytes of memory per object. */
  async plan(): Promise<void> {
    const keys = new Set<string>();
    for await (const { key } of this.target.list(PREFIX)) keys.add(key);
    for await (const object of this.source.list(PREFIX)) {
      if (keys.has(object.key)) {
        this.present.objects++;
        this.present.sizeInBytes += object.sizeInBytes;
      } else {
        this.missing.push(object);
      }
    }
  }

  /**
   * Copies what `plan` has found, reads every copy again, and compares it with what was sent. Ends early when nothing
   * more can be copied.
   */
  async run(): Promise<MigrationProgress> {
    const { copied, failed } = this.progress;
    const objects = this.missing.values();
    let failures = 0;
    const copyObjects = async (): Promise<void> => {
      for (const { key } of objects) {
        if (failures >= MAX_FAILURES) return;
        try {
          const sizeInBytes = await this.copy(key);
          failures = 0;
          if (sizeInBytes === null) {
            this.progress.skipped++;
            continue;
          }
          copied.objects++;
          copied.sizeInBytes += sizeInBytes;
        } catch (error) {
          failures++;
          failed.push({ key, error });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, copyObjects));
    return this.progress;
  }

  /** @returns how many bytes it has; `null`: nothing was to copy */
  private async copy(key: string): Promise<number | null> {
    if (await isStored(this.target, key)) return null;
    const object = await unlessMissing(this.source.get(key));
    if (object === null) return null;
    const { body, sha256 } = hashed(object.body);
    const { sizeInBytes } = await this.target.put(key, body);
    const copy = await this.target.digest(key);
    if (copy.sha256 !== sha256() || copy.sizeInBytes !== sizeInBytes) {
      await this.target.delete(key);
      throw new Error('The copy differs from what was sent: it was deleted.');
    }
    return sizeInBytes;
  }
}

async function isStored(storage: ObjectStorage, key: string): Promise<boolean> {
  return (await unlessMissing(storage.stat(key))) !== null;
}

/** @returns `null` for an object that is not there */
function unlessMissing<R>(reading: Promise<R>): Promise<R | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof ObjectNotFoundError) return null;
    throw error;
  });
}

function sizeOf(objects: readonly ObjectSummary[]): number {
  return objects.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
}
