import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import type { OpenRange } from '../../storage/zips/range-reader.js';
import type { ArtifactFacts, ReadableType } from './artifact-facts.js';

/** A stored file that is announced as an artifact of a type. */
export interface ArtifactFile {
  readonly type: ReadableType;
  readonly sizeInBytes: number;
  readonly openRange: OpenRange;
}

/** Reads what artifacts say about themselves. The files may be hostile. */
@Injectable()
export class ArtifactReaderService {
  /**
   * Call it outside of transactions.
   *
   * @param organizationId whose work it is
   * @throws InvalidRequestError `invalid_artifact` when the file is not an artifact of its type
   * @throws StorageFailure when the storage cannot be read
   */
  read(_organizationId: string, { type }: ArtifactFile): Promise<ArtifactFacts> {
    return Promise.reject(
      new InvalidRequestError(`Files of type ${type} cannot be read.`, 'invalid_artifact'),
    );
  }
}
