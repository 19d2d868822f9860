import { InsufficientStorageError, StorageUnavailableError } from '../common/errors/app-error.js';

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

/** Translates the error of a file system for callers. @returns `null` for any other error */
export function toStorageError(error: unknown): InsufficientStorageError | StorageUnavailableError | null {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';
  if (FULL.has(code)) return new InsufficientStorageError();
  return UNAVAILABLE.has(code) ? new StorageUnavailableError() : null;
}
