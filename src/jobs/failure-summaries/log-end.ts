import type { JobLogDto } from '../job-logs/job-log.dto.js';
import { attemptNote, isTooLongNote } from '../job-logs/log-notes.js';

/** Lines that are kept: what made a job fail is at the end of its log. */
const MAX_LINES = 500;
/** Characters that are read for them, at most. */
const MAX_READ = 1_000_000;
/** Longer lines are cut: as they were received, and as text. In characters. */
const MAX_RAW_LINE = 8000;
const MAX_LINE = 500;

/** The end of a log as text. */
export interface LogEnd {
  /** The last lines, oldest first, without empty ones, colors and control characters. */
  readonly lines: readonly string[];
  /** Whether the log was too long, so that what came last is not in it. */
  readonly isCut: boolean;
}

/**
 * Reads the last lines of the last attempt. Its time is bounded, however long the log is and whatever is in it.
 *
 * @param attempts how often the job was started
 */
export function readLogEnd(entries: readonly JobLogDto[], attempts: number): LogEnd {
  const lines: string[] = [];
  let isCut = false;
  let left = MAX_READ;
  for (let index = entries.length - 1; index >= 0 && left > 0; index--) {
    const payload = entries[index]?.payload ?? '';
    if (attempts > 1 && payload === attemptNote(attempts)) break;
    left -= payload.length;
    for (const line of payload.split('\n').toReversed()) {
      if (lines.length === MAX_LINES) return { lines: lines.toReversed(), isCut };
      const text = toText(line);
      if (isTooLongNote(text)) isCut = true;
      else if (text.trim() !== '') lines.push(text);
    }
  }
  return { lines: lines.toReversed(), isCut };
}

/** Sequences for terminals: colors and cursors; titles and links; others. The server replaces the bell that ends a title. */
const sequences =
  // oxlint-disable-next-line no-control-regex -- that is the point
  /\x1b(?:\[[0-?]{0,99}[ -/]{0,9}[@-~]?|\][^\x1b\uFFFD]{0,2000}(?:\uFFFD|\x1b\\)?|[@-Z\\^_])/g;
/** Other control characters, and those that change the direction of text. */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A line as a terminal shows it in the end, without colors. */
export function toText(line: string): string {
  // A bar of progress is drawn over what was there before.
  const drawn = line.replace(/\r$/, '');
  return drawn
    .slice(drawn.lastIndexOf('\r') + 1)
    .slice(0, MAX_RAW_LINE)
    .replaceAll(sequences, '')
    .replaceAll('\t', '  ')
    .replaceAll(unprintable, '')
    .trimEnd()
    .slice(0, MAX_LINE);
}
