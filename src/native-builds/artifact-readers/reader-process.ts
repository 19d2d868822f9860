import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { forkReader } from '../../common/process/fork-reader.js';
import { type ProcessLimit, type ProcessLimits, watchProcess } from '../../common/process/watch-process.js';
import type { ByteRange } from '../../storage/object-storage.js';
import type { ArtifactFile } from './artifact-facts.js';
import type { ArtifactReading, DeviceReading } from './read-artifact.js';
import { MAX_RANGE_BYTES, type ProcessMessage, type ServerMessage } from './messages.js';

/** Parts of one file that a process gets: far more than any app needs. */
const MAX_RANGES = 4000;
const MAX_BYTES = 256 * 1024 * 1024;

/** Why a process ended without a result. `deadline`: it has used its processor time; `busy`: it did not get it. */
export type Failure = 'deadline' | 'busy' | 'storage' | 'limit' | 'died';

/** A process ended without a result. */
export class ReaderProcessError extends Error {
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(`The process that reads an artifact has failed: ${failure}.`, options);
  }
}

/** A process that reads one file, and the parts of it that are sent to it. */
export class ReaderProcess {
  private readonly child: ChildProcess;
  private ranges = 0;
  private bytes = 0;
  private hasEnded = false;
  /** The part that is being read; `null`: none. */
  private open: Readable | null = null;
  /** Since when the storage has been working on a part, in milliseconds of the clock; `null`: it is not. */
  private storageSince: number | null = null;
  private storageMs = 0;

  constructor(
    program: URL,
    private readonly file: ArtifactFile,
    private readonly limits: ProcessLimits,
  ) {
    this.child = forkReader(program, 128);
  }

  /** @throws ReaderProcessError */
  read(): Promise<ArtifactReading> {
    return this.ask<ArtifactReading>(null);
  }

  /** Whether the profile of the file lists a device. @throws ReaderProcessError */
  findDevice(udid: string): Promise<DeviceReading> {
    return this.ask<DeviceReading>(udid);
  }

  private async ask<R>(udid: string | null): Promise<R> {
    let storageDeadline: NodeJS.Timeout | undefined;
    let endWatch: (() => void) | undefined;
    try {
      return await new Promise<R>((resolve, reject) => {
        const { processorMs } = this.limits;
        storageDeadline = setTimeout(() => {
          if (this.isStorageSlow(processorMs)) reject(new ReaderProcessError('storage'));
        }, processorMs);
        endWatch = watchProcess(this.child.pid, this.limits, (limit) => reject(this.overdue(limit)));
        // One part after the other: a process cannot make the storage read several at once.
        let reading = Promise.resolve();
        this.child.on('message', (message: ProcessMessage) => {
          if (!('rangeId' in message)) return resolve(message as R);
          reading = reading.then(() => this.answer(message.rangeId, message.range)).catch(reject);
        });
        this.child.once('error', reject);
        this.child.once('exit', () => reject(new ReaderProcessError('died')));
        this.send({ type: this.file.type, sizeInBytes: this.file.sizeInBytes, udid });
      });
    } finally {
      clearTimeout(storageDeadline);
      endWatch?.();
      this.hasEnded = true;
      this.open?.destroy();
      this.child.kill('SIGKILL');
    }
  }

  private async answer(rangeId: number, range: ByteRange): Promise<void> {
    if (this.hasEnded) return;
    if (!this.isAllowed(range)) throw new ReaderProcessError('limit');
    this.storageSince = Date.now();
    const bytes = await this.load(range).catch((cause: unknown) => {
      throw new ReaderProcessError('storage', { cause });
    });
    this.storageMs += Date.now() - this.storageSince;
    this.storageSince = null;
    this.send({ rangeId, bytes });
  }

  private async load(range: ByteRange): Promise<Buffer> {
    const part = await this.file.openRange(range);
    this.open = part;
    // It may have ended while the storage was opening the part.
    if (this.hasEnded) part.destroy();
    return buffer(part);
  }

  private isAllowed({ start, length }: ByteRange): boolean {
    this.ranges++;
    this.bytes += length;
    const isInFile =
      Number.isSafeInteger(start) &&
      Number.isSafeInteger(length) &&
      start >= 0 &&
      length > 0 &&
      length <= MAX_RANGE_BYTES &&
      start + length <= this.file.sizeInBytes;
    return isInFile && this.ranges <= MAX_RANGES && this.bytes <= MAX_BYTES;
  }

  private overdue(limit: ProcessLimit): ReaderProcessError {
    if (limit === 'processor') return new ReaderProcessError('deadline');
    return new ReaderProcessError(this.isStorageSlow(this.limits.wallMs) ? 'storage' : 'busy');
  }

  /** Whether the storage has taken more than half of a time, in milliseconds. */
  private isStorageSlow(withinMs: number): boolean {
    const current = this.storageSince === null ? 0 : Date.now() - this.storageSince;
    return this.storageMs + current > withinMs / 2;
  }

  private send(message: ServerMessage): void {
    // A process that ends before it has read everything is no separate failure.
    if (this.child.connected) this.child.send(message, () => undefined);
  }
}
