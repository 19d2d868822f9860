import { Injectable, Logger } from '@nestjs/common';
import { ShareLimit } from '../../common/background/share-limit.js';
import {
  ArtifactReaderBusyError,
  InvalidRequestError,
  RateLimitedError,
  StorageUnavailableError,
} from '../../common/errors/app-error.js';
import type { ProcessLimits } from '../../common/process/watch-process.js';
import type { ArtifactFile } from './artifact-facts.js';
import type { ReadFacts } from './read-artifact.js';
import { ReaderProcess, ReaderProcessError } from './reader-process.js';

/** The bundle has it beside this module, too: see `scripts/bundle.ts`. */
const PROGRAM = new URL('./artifact-process.js', import.meta.url);

/** Each of another organization. */
const MAX_PROCESSES = 2;
/** For other files. */
const MAX_WAIT_MS = 120_000;
/** Files of an organization that wait when strangers ask for one, besides the one that is being read. */
const MAX_WAITING = 2;

/** Why a file was not read. */
interface Problem {
  readonly problem: string;
}

/** Reads what artifacts say about themselves. The files may be hostile: a separate process reads each of them. */
@Injectable()
export class ArtifactReaderService {
  private readonly logger = new Logger(ArtifactReaderService.name);
  /** A usual app takes less than a second. On a busy machine, a process gets three times as long. */
  protected readonly limits: ProcessLimits = { processorMs: 20_000, wallMs: 60_000 };
  private readonly limit = new ShareLimit({ atOnce: MAX_PROCESSES, atOncePerShare: 1 });

  /**
   * Call it outside of transactions.
   *
   * @param organizationId whose work it is; its files wait for each other
   * @throws InvalidRequestError `invalid_artifact` when the file is not an artifact of its type
   * @throws StorageFailure when the storage cannot be read
   * @throws ArtifactReaderBusyError when other files take too long, or the machine is too busy
   */
  async read(organizationId: string, file: ArtifactFile): Promise<ReadFacts> {
    const { facts, remark } = await this.inProcess(organizationId, file, (process) => process.read());
    // Messages between processes have no buffers.
    const icon = facts.icon && { ...facts.icon, bytes: Buffer.from(facts.icon.bytes) };
    return { facts: { ...facts, icon }, remark };
  }

  /**
   * Whether the profile of an ipa lists a device. Its list stays in the process. Call it outside of transactions.
   *
   * @param organizationId whose file it is
   * @throws InvalidRequestError, StorageFailure and ArtifactReaderBusyError as `read`
   * @throws RateLimitedError when other files of the organization wait
   */
  async isInProfile(organizationId: string, file: ArtifactFile, udid: string): Promise<boolean> {
    if (this.limit.waitingOf(organizationId) >= MAX_WAITING)
      throw new RateLimitedError(this.limits.processorMs / 1000);
    return (await this.inProcess(organizationId, file, (process) => process.findDevice(udid))).isInProfile;
  }

  private async inProcess<R extends object>(
    organizationId: string,
    file: ArtifactFile,
    ask: (process: ReaderProcess) => Promise<R | Problem>,
  ): Promise<R> {
    const waiting = new AbortController();
    const end = setTimeout(() => waiting.abort(new ArtifactReaderBusyError()), MAX_WAIT_MS);
    const reading = await this.limit
      .run(organizationId, () => this.askOnce(file, ask), waiting.signal)
      .finally(() => clearTimeout(end));
    if (!('problem' in reading)) return reading;
    throw new InvalidRequestError(
      `The file is not a valid ${file.type}: ${reading.problem}.`,
      'invalid_artifact',
    );
  }

  private async askOnce<R>(
    file: ArtifactFile,
    ask: (process: ReaderProcess) => Promise<R | Problem>,
  ): Promise<R | Problem> {
    try {
      return await ask(new ReaderProcess(PROGRAM, file, this.limits));
    } catch (error) {
      if (!(error instanceof ReaderProcessError)) throw error;
      if (error.failure === 'storage') throw error.cause ?? new StorageUnavailableError();
      if (error.failure === 'busy') throw new ArtifactReaderBusyError();
      this.logger.warn(`A file of type ${file.type} was not read: ${error.failure}`);
      return { problem: 'reading it takes too much time or memory' };
    }
  }
}
