import { setImmediate } from 'node:timers/promises';

/** The packet lines of git's protocols: https://git-scm.com/docs/protocol-common#_pkt_line_format */

/** Marks between packets. */
export const FLUSH = '0000';
export const DELIMITER = '0001';

/** Packets that are taken before other requests are served. */
const SLICE = 1000;

const LENGTH_BYTES = 4;

/** One packet with its length in front. */
export function packet(text: string): string {
  return `${(Buffer.byteLength(text) + LENGTH_BYTES).toString(16).padStart(LENGTH_BYTES, '0')}${text}`;
}

/**
 * Splits packets, and serves other requests in between. Keeps one packet at most, which has up to 64 KiB.
 *
 * @param take gets the text of each packet without the line break at its end; `null` for a mark (flush, delimiter, end)
 * @throws RangeError when the bytes are no packets
 * @throws Error of `take` or `chunks`
 */
export async function readPackets(
  chunks: AsyncIterable<Buffer>,
  take: (text: string | null) => void,
): Promise<void> {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let neededBytes = LENGTH_BYTES;
  let taken = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    // Joined when a packet is complete, not for each of many small chunks.
    if (waitingBytes < neededBytes) continue;
    const bytes = waiting.length === 1 ? chunk : Buffer.concat(waiting);
    let position = 0;
    for (;;) {
      const left = bytes.length - position;
      const length = left < LENGTH_BYTES ? LENGTH_BYTES : lengthAt(bytes, position);
      neededBytes = Math.max(LENGTH_BYTES, length);
      if (left < neededBytes) break;
      take(length < LENGTH_BYTES ? null : textOf(bytes, position + LENGTH_BYTES, position + length));
      position += neededBytes;
      taken++;
      if (taken % SLICE === 0) await setImmediate();
    }
    waiting = [bytes.subarray(position)];
    waitingBytes = bytes.length - position;
  }
  if (waitingBytes > 0) throw new RangeError('The last packet is not complete.');
}

/** @returns 0, 1 or 2 for a mark, otherwise the bytes of the packet with its length @throws RangeError */
function lengthAt(bytes: Buffer, position: number): number {
  const digits = bytes.toString('latin1', position, position + LENGTH_BYTES);
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (!(length <= 2 || length >= LENGTH_BYTES)) throw new RangeError('There is no packet.');
  return length;
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, bytes[end - 1] === 0x0a && end > start ? end - 1 : end);
}
