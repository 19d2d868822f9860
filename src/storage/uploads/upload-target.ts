import { invalidField } from '../../common/errors/app-error.js';
import type { StagedBlob } from '../blobs/blobs.service.js';

/** Where a file in parts belongs. A resource makes one of each request, for a caller that it has authorized. */
export interface UploadTarget {
  /** The row that gets the file. Its table needs the trigger `delete_uploads_of_owners`. */
  readonly ownerId: string;
  /** Whose storage quota the file counts in. */
  readonly organizationId: string;
  /** Announced size of the whole file, in bytes. */
  readonly sizeInBytes: number;

  /** Refuses to begin uploads and to take parts. A completion may be repeated. @throws AppError */
  requireOpen?(): void;

  /**
   * Refuses the whole file; may read storage. Not called in a transaction.
   *
   * @throws InvalidRequestError when it is not the announced one; then the upload ends
   */
  check(whole: StagedBlob): void | Promise<void>;

  /** Gives the file to its owner, in the transaction that keeps it. @throws AppError */
  attach(blobId: string, whole: StagedBlob): Promise<void>;

  /** Follows a completion, and each repetition of it. Not called in a transaction. */
  afterwards?(): Promise<void>;
}

/**
 * Compares a file with the field `fileSizeInBytes` of its announcement.
 *
 * @throws InvalidRequestError
 */
export function requireSize(whole: StagedBlob, announced: number | null): void {
  if (whole.sizeInBytes === announced) return;
  throw invalidField(
    'parts',
    `parts have ${whole.sizeInBytes} bytes, and fileSizeInBytes announced ${announced}.`,
  );
}
