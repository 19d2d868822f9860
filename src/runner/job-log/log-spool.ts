import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** The log of a job in a file, so that an outage of the API costs no memory. */
export class LogSpool {
  private readonly file: number;
  /** Bytes that were written. */
  length = 0;

  /** @param path of a new file */
  constructor(path: string) {
    this.file = openSync(path, 'wx+', 0o600);
  }

  /** Adds bytes. Synchronous, because commands print without waiting; callers bound the length. */
  append(bytes: Buffer): void {
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.file, bytes, written, bytes.length - written, this.length + written);
    }
    this.length += bytes.length;
  }

  /** @returns at most so many bytes */
  read(offset: number, most: number): Buffer {
    const part = Buffer.allocUnsafe(Math.max(0, Math.min(most, this.length - offset)));
    return part.subarray(0, readSync(this.file, part, 0, part.length, offset));
  }

  close(): void {
    closeSync(this.file);
  }
}
