/** The packet lines of git's protocols: https://git-scm.com/docs/protocol-common#_pkt_line_format */

/** Marks between packets. */
export const FLUSH = '0000';
export const DELIMITER = '0001';

/** One packet with its length in front. */
export function packet(text: string): string {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
}

/**
 * Splits packets.
 *
 * @returns the text of each packet without the line break at its end; `null` for a mark (flush, delimiter, end)
 * @throws RangeError when the bytes are no packets
 */
export function parsePackets(bytes: Buffer): (string | null)[] {
  const packets: (string | null)[] = [];
  let position = 0;
  while (position < bytes.length) {
    const digits = bytes.toString('latin1', position, position + 4);
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    if (!(length <= 2 || (length >= 4 && position + length <= bytes.length))) {
      throw new RangeError(`There is no packet at byte ${position}.`);
    }
    packets.push(
      length <= 2 ? null : bytes.toString('utf8', position + 4, position + length).replace(/\n$/, ''),
    );
    position += Math.max(4, length);
  }
  return packets;
}
