import { Injectable, Logger } from '@nestjs/common';
import { ShareLimit } from '../../common/background/share-limit.js';
import {
  ArtifactReaderBusyError,
  InvalidRequestError,
  StorageUnavailableError,
} from '../../common/errors/app-error.js';
import type { ArtifactFacts, ArtifactFile } from './artifact-facts.js';
import { ReaderProcess, ReaderProcessError } from './process/reader-process.js';
import type { ArtifactReading } from './read-artifact.js';

/** The bundle has it beside this module, too: see `scripts/bundle.ts`. */
const PROGRAM = new URL('./artifact-process.js', import.meta.url);

/** A usual app takes less than a second. */
const DEADLINE_MS = 20_000;
/** Each of another organization. */
const MAX_PROCESSES = 2;
/** For other files. */
const MAX_WAIT_MS = 120_000;

/** Reads what artifacts say about themselves. The files may be hostile: a process of its own reads each of them. */
@Injectable()
export class ArtifactReaderService {
  private readonly logger = new Logger(ArtifactReaderService.name);
  private readonly limit = new ShareLimit({ atOnce: MAX_PROCESSES, atOncePerShare: 1 });

  /**
   * Call it outside of transactions.
   *
   * @param organizationId whose work it is; its files wait for each other
   * @throws InvalidRequestError `invalid_artifact` when the file is not an artifact of its type
   * @throws StorageFailure when the storage cannot be read
   * @throws ArtifactReaderBusyError when other files take too long
   */
  async read(organizationId: string, file: ArtifactFile): Promise<ArtifactFacts> {
    const waiting = new AbortController();
    const end = setTimeout(() => waiting.abort(new ArtifactReaderBusyError()), MAX_WAIT_MS);
    const reading = await this.limit
      .run(organizationId, () => this.readInProcess(file), waiting.signal)
      .finally(() => clearTimeout(end));
    if ('problem' in reading) {
      throw new InvalidRequestError(
        `The file is not a valid ${file.type}: ${reading.problem}.`,
        'invalid_artifact',
      );
    }
    const { facts } = reading;
    // Messages between processes have no buffers.
    return { ...facts, icon: facts.icon && { ...facts.icon, bytes: Buffer.from(facts.icon.bytes) } };
  }

  private async readInProcess(file: ArtifactFile): Promise<ArtifactReading> {
    try {
      return await new ReaderProcess(PROGRAM, file, DEADLINE_MS).read();
    } catch (error) {
      if (!(error instanceof ReaderProcessError)) throw error;
      if (error.failure === 'storage') throw error.cause ?? new StorageUnavailableError();
      this.logger.warn(`A file of type ${file.type} was not read: ${error.failure}`);
      return { problem: 'reading it takes too much time or memory' };
    }
  }
}
