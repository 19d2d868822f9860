import { tooLongNote } from './log-notes.js';

/** Largest chunk, in bytes of UTF-8. */
export const MAX_CHUNK = 65_536;

/** Lines that are kept, and how much of the limit they take. */
export interface LimitedLines {
  readonly lines: readonly string[];
  readonly sizeInBytes: number;
  /** Whether the limit was reached: nothing more is kept. */
  readonly isFull: boolean;
}

/**
 * Keeps lines up to a limit, then one that says so.
 *
 * @param size bytes that were kept before
 * @param limit for the whole log, in bytes with line ends
 */
export function limitLines(lines: readonly string[], size: number, limit: number): LimitedLines {
  let sizeInBytes = size;
  for (const [index, line] of lines.entries()) {
    const length = Buffer.byteLength(line) + 1;
    if (sizeInBytes + length > limit) {
      return { lines: [...lines.slice(0, index), tooLongNote(limit)], sizeInBytes, isFull: true };
    }
    sizeInBytes += length;
  }
  return { lines, sizeInBytes, isFull: false };
}

/** Joins lines to chunks, as few as their size allows. */
export function toChunks(lines: readonly string[]): string[] {
  const chunks: string[][] = [];
  let size = Infinity;
  for (const line of lines) {
    const length = Buffer.byteLength(line) + 1;
    if (size + length > MAX_CHUNK + 1) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)?.push(line);
    size += length;
  }
  return chunks.map((chunk) => chunk.join('\n'));
}
