import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** The log of a job in a file, so that an outage of the API costs no memory. */
export class LogSpool {
  private readonly file: number;
  /** Bytes that were written. */
  length = 0;
  private isClosed = false;

  /** @param path of a new file */
  constructor(path: string) {
    this.file = openSync(path, 'wx+', 0o600);
  }

  /**
   * Adds bytes. Synchronous, because commands print without waiting; callers bound the length. What a full disk does not
   * take is left out: the look at the disk ends the build, and the other jobs of the runner continue.
   */
  append(bytes: Buffer): void {
    // A build that does not stop may still print. The descriptor can be that of another log by now.
    if (this.isClosed) return;
    let written = 0;
    try {
      while (written < bytes.length) {
        written += writeSync(this.file, bytes, written, bytes.length - written, this.length + written);
      }
    } catch (error) {
      if (!FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
    this.length += written;
  }

  /** @returns at most so many bytes; none after `close` */
  read(offset: number, most: number): Buffer {
    if (this.isClosed) return Buffer.alloc(0);
    const part = Buffer.allocUnsafe(Math.max(0, Math.min(most, this.length - offset)));
    return part.subarray(0, readSync(this.file, part, 0, part.length, offset));
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    closeSync(this.file);
  }
}
