import pLimit from 'p-limit';
import { hashed } from '../blobs/hashed.js';
import type { ObjectStorage, ObjectSummary } from '../object-storage.js';
import { ObjectNotFoundError } from '../storage-errors.js';

/** Objects that are copied at once. */
const AT_ONCE = 8;

/** A number of objects and their bytes. */
export interface ObjectSum {
  objects: number;
  sizeInBytes: number;
}

/** What a migration has done so far. */
export interface MigrationProgress {
  /** Copied by this run, and compared with their sources. */
  readonly copied: ObjectSum;
  /** Deleted while this ran. */
  gone: number;
  /** Why objects could not be copied. */
  readonly failed: { readonly key: string; readonly error: unknown }[];
}

/**
 * Copies the objects of one storage to another, where they appear complete or not at all. Objects never change, so those
 * that the target has in the same size are left out, and a run that was interrupted can be repeated. Servers may store and
 * delete objects meanwhile, through a `FallbackObjectStorage`.
 */
export class StorageMigration {
  /** What the target has already. */
  readonly present: ObjectSum = { objects: 0, sizeInBytes: 0 };
  readonly missing: ObjectSummary[] = [];
  readonly progress: MigrationProgress = { copied: { objects: 0, sizeInBytes: 0 }, gone: 0, failed: [] };

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
    const sizes = new Map<string, number>();
    for await (const { key, sizeInBytes } of this.target.list('')) sizes.set(key, sizeInBytes);
    for await (const object of this.source.list('')) {
      if (object.key.startsWith('.probe/')) continue;
      if (sizes.get(object.key) === object.sizeInBytes) {
        this.present.objects++;
        this.present.sizeInBytes += object.sizeInBytes;
      } else {
        this.missing.push(object);
      }
    }
  }

  /** Copies what `plan` has found, reads every copy again, and compares it with what was sent. */
  async run(): Promise<MigrationProgress> {
    const { copied, failed } = this.progress;
    const copyNext = async ({ key }: ObjectSummary): Promise<void> => {
      try {
        const sizeInBytes = await this.copy(key);
        copied.objects++;
        copied.sizeInBytes += sizeInBytes;
      } catch (error) {
        if (error instanceof ObjectNotFoundError) this.progress.gone++;
        else failed.push({ key, error });
      }
    };
    await pLimit(AT_ONCE).map(this.missing, copyNext);
    return this.progress;
  }

  /** @returns how many bytes it has */
  private async copy(key: string): Promise<number> {
    const { body, sha256 } = hashed((await this.source.get(key)).body);
    const { sizeInBytes } = await this.target.put(key, body);
    const copy = await this.target.digest(key);
    if (copy.sha256 !== sha256() || copy.sizeInBytes !== sizeInBytes) {
      await this.target.delete(key);
      throw new Error('The copy differs from what was sent: it was deleted.');
    }
    return sizeInBytes;
  }
}

function sizeOf(objects: readonly ObjectSummary[]): number {
  return objects.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
}
