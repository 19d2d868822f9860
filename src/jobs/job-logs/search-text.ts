/** Colors, also as the official command-line tool reads them from a log. */
// oxlint-disable-next-line no-control-regex -- that is the point
const colors = /(?:\x1b|\\033|\\x1b)\[[\d;:]{0,64}m/gi;

/**
 * A text as a search compares it: without colors, in one case. Lines of a text stay lines.
 *
 * @param text some lines of a log, or what is searched
 */
export function comparable(text: string): string {
  const hasColors = text.includes('\x1b') || text.includes('\\');
  const plain = (hasColors ? text.replaceAll(colors, '') : text).toLowerCase();
  // The last letter of a Greek word has a form of its own.
  return plain.includes('ς') ? plain.replaceAll('ς', 'σ') : plain;
}

/**
 * The lines of a chunk that contain a text.
 *
 * @param payload lines of a log
 * @param wanted as `comparable` gives it
 * @returns places in the chunk, from 0
 */
export function linesWith(payload: string, wanted: string): number[] {
  const found: number[] = [];
  if (wanted.includes('\n')) return found;
  const text = comparable(payload);
  let line = 0;
  let counted = 0;
  for (let at = text.indexOf(wanted); at !== -1;) {
    line += countLineEnds(text, counted, at);
    found.push(line);
    // One hit a line is enough.
    const end = text.indexOf('\n', at);
    if (end === -1) break;
    counted = end;
    at = text.indexOf(wanted, end + 1);
  }
  return found;
}

/** Line ends from one place up to another. */
function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** How many lines a chunk has: one more than line ends. */
export function countLines(payload: string): number {
  return countLineEnds(payload, 0, payload.length) + 1;
}
