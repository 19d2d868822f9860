import { Injectable, Logger } from '@nestjs/common';
import { Limits, type Patience } from '../../common/background/limits.js';
import {
  ArtifactReaderBusyError,
  InvalidRequestError,
  ServerBusyError,
  StorageUnavailableError,
} from '../../common/errors/app-error.js';
import type { ProcessLimits } from '../../common/process/watch-process.js';
import type { ArtifactFile } from './artifact-facts.js';
import type { ReadFacts } from './read-artifact.js';
import { ReaderProcess, ReaderProcessError } from './reader-process.js';

/** The bundle has it beside this module, too: see `scripts/bundle.ts`. */
const PROGRAM = new URL('./artifact-process.js', import.meta.url);

/** Seconds that an upload or an import waits for other files. */
const LONG_WAIT = 120;
/** Files of an account that wait when strangers ask for one. */
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

  constructor(private readonly shares: Limits) {}

  /**
   * Call it outside of transactions.
   *
   * @param organizationId whose work it is; its files wait for each other
   * @throws InvalidRequestError `invalid_artifact` when the file is not an artifact of its type
   * @throws StorageFailure when the storage cannot be read
   * @throws ArtifactReaderBusyError when other files take too long, or the machine is too busy
   */
  async read(organizationId: string, file: ArtifactFile): Promise<ReadFacts> {
    const { facts, remark } = await this.inProcess(organizationId, file, (process) => process.read(), {
      seconds: LONG_WAIT,
    }).catch((error: unknown) => {
      throw error instanceof ServerBusyError ? new ArtifactReaderBusyError() : error;
    });
    // Messages between processes have no buffers.
    const icon = facts.icon && { ...facts.icon, bytes: Buffer.from(facts.icon.bytes) };
    return { facts: { ...facts, icon }, remark };
  }

  /**
   * Whether the profile of an ipa lists a device. Its list stays in the process. Call it outside of transactions.
   *
   * @param organizationId whose file it is
   * @throws InvalidRequestError, StorageFailure as `read`
   * @throws ServerBusyError
   */
  async isInProfile(organizationId: string, file: ArtifactFile, udid: string): Promise<boolean> {
    const find = (process: ReaderProcess): ReturnType<ReaderProcess['findDevice']> =>
      process.findDevice(udid);
    return (await this.inProcess(organizationId, file, find, { mayWait: MAX_WAITING })).isInProfile;
  }

  private async inProcess<R extends object>(
    organizationId: string,
    file: ArtifactFile,
    ask: (process: ReaderProcess) => Promise<R | Problem>,
    patience: Patience,
  ): Promise<R> {
    const reading = await this.shares.run(
      'artifacts',
      organizationId,
      () => this.askOnce(file, ask),
      patience,
    );
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
