import { StorageFailure } from '../common/errors/storage-failure.js';

/** Thrown by reads of a key under which nothing is stored. */
export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError';

  constructor(readonly key: string) {
    super(`No object is stored under "${key}".`);
  }
}

/** No room, or the quota is used up. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);
/** Read-only, no access, gone or failing: errors of file systems that connections to clients do not have. */
const UNAVAILABLE = new Set([
  'EACCES',
  'EEXIST',
  'EIO',
  'EISDIR',
  'ELOOP',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENOENT',
  'ENOTDIR',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
]);

/** The error of a file system as a failure of the storage. @returns `null` for any other error */
export function toStorageFailure(error: unknown): StorageFailure | null {
  if (error instanceof StorageFailure) return error;
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';
  if (FULL.has(code)) return new StorageFailure(`The disk is full (${code}).`, 'full', { cause: error });
  if (!UNAVAILABLE.has(code)) return null;
  return new StorageFailure(`The disk is not available (${code}).`, 'unavailable', { cause: error });
}
